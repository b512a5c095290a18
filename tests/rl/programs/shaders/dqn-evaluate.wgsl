// DQN.evaluate
// iota
fn k0(out: i32, n: i32) {
for (var i = lid; i < n; i += WG) {
  storeI(out + i, i);
}
}

// stridedCopy
fn k1(to: i32, source: i32, rows: i32, width: i32, toWidth: i32, fromWidth: i32, toStart: i32, fromStart: i32) {
for (var i = lid; i < rows * width; i += WG) {
  heap[to + (i / width) * toWidth + toStart + i % width] = heap[source + (i / width) * fromWidth + fromStart + i % width];
}
}

// matmul staged true
fn k2(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32, bias: i32, staged: i32) {
let acrossN = (n + 3) / 4;
let tiles = ((m + 3) / 4) * acrossN;
for (var tile = lid; tile < tiles; tile += WG) {
  let row = (tile / acrossN) * 4;
  let column = (tile % acrossN) * 4;
  let r0 = min(row + 0, m - 1);
  let r1 = min(row + 1, m - 1);
  let r2 = min(row + 2, m - 1);
  let r3 = min(row + 3, m - 1);
  let c0 = min(column + 0, n - 1);
  let c1 = min(column + 1, n - 1);
  let c2 = min(column + 2, n - 1);
  let c3 = min(column + 3, n - 1);
  let start = vec4<f32>(loadF(bias + c0), loadF(bias + c1), loadF(bias + c2), loadF(bias + c3));
  var s0 = start;
  var s1 = start;
  var s2 = start;
  var s3 = start;
  if (staged < 0) {
    for (var k = 0; k < depth; k++) {
      let across = vec4<f32>(loadF(b + k * n + c0), loadF(b + k * n + c1), loadF(b + k * n + c2), loadF(b + k * n + c3));
    s0 += loadF(a + r0 * depth + k) * across;
    s1 += loadF(a + r1 * depth + k) * across;
    s2 += loadF(a + r2 * depth + k) * across;
    s3 += loadF(a + r3 * depth + k) * across;
    }
  } else {
    var at = staged + tile % acrossN;
    for (var k = 0; k < depth; k++) {
      let across = matrices[at];
      at += acrossN;
    s0 += loadF(a + r0 * depth + k) * across;
    s1 += loadF(a + r1 * depth + k) * across;
    s2 += loadF(a + r2 * depth + k) * across;
    s3 += loadF(a + r3 * depth + k) * across;
    }
  }
  if (row + 0 < m) {
    if (column + 0 < n) { storeF(to + (row + 0) * n + column + 0, s0[0]); }
    if (column + 1 < n) { storeF(to + (row + 0) * n + column + 1, s0[1]); }
    if (column + 2 < n) { storeF(to + (row + 0) * n + column + 2, s0[2]); }
    if (column + 3 < n) { storeF(to + (row + 0) * n + column + 3, s0[3]); }
  }
  if (row + 1 < m) {
    if (column + 0 < n) { storeF(to + (row + 1) * n + column + 0, s1[0]); }
    if (column + 1 < n) { storeF(to + (row + 1) * n + column + 1, s1[1]); }
    if (column + 2 < n) { storeF(to + (row + 1) * n + column + 2, s1[2]); }
    if (column + 3 < n) { storeF(to + (row + 1) * n + column + 3, s1[3]); }
  }
  if (row + 2 < m) {
    if (column + 0 < n) { storeF(to + (row + 2) * n + column + 0, s2[0]); }
    if (column + 1 < n) { storeF(to + (row + 2) * n + column + 1, s2[1]); }
    if (column + 2 < n) { storeF(to + (row + 2) * n + column + 2, s2[2]); }
    if (column + 3 < n) { storeF(to + (row + 2) * n + column + 3, s2[3]); }
  }
  if (row + 3 < m) {
    if (column + 0 < n) { storeF(to + (row + 3) * n + column + 0, s3[0]); }
    if (column + 1 < n) { storeF(to + (row + 3) * n + column + 1, s3[1]); }
    if (column + 2 < n) { storeF(to + (row + 3) * n + column + 2, s3[2]); }
    if (column + 3 < n) { storeF(to + (row + 3) * n + column + 3, s3[3]); }
  }
}
}

// rowMean
fn k3(out: i32, x: i32, rows: i32, width: i32) {
for (var r = lid; r < rows; r += WG) {
  var sum = 0.0;
  for (var j = 0; j < width; j++) { sum += loadF(x + r * width + j); }
  storeF(out + r, sum / f32(width));
}
}

// rowScale
fn k4(out: i32, x: i32, rows: i32, width: i32, means: i32) {
for (var r = lid; r < rows; r += WG) {
  var sum = 0.0;
  let mean = loadF(means + r);
  for (var j = 0; j < width; j++) {
    let centred = loadF(x + r * width + j) - mean;
    sum += centred * centred;
  }
  storeF(out + r, 1.0 / sqrt(sum / f32(width) + 0.00001));
}
}

// argmax
fn k5(out: i32, x: i32, rows: i32, width: i32) {
for (var r = lid; r < rows; r += WG) {
  var best = 0;
  var top = loadF(x + r * width);
  for (var j = 1; j < width; j++) {
    let value = loadF(x + r * width + j);
    if (value > top) { top = value; best = j; }
  }
  storeI(out + r, best);
}
}

// bitXor mul add
fn k6(p0: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadU(p0);
var v1 = 3041712726u;
let v2 = (o0 ^ v1);
var v3 = 1664525u;
let v4 = (v2 * v3);
var v5 = 1013904223u;
let v6 = (v4 + v5);
storeU(s0 + e, v6);
}
}

// mul add
fn k7(p0: i32, s0: i32, s1: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadU(p0);
var v1 = i32(0);
var v2 = 1664525u;
let v3 = (o0 * v2);
var v4 = 1013904223u;
let v5 = (v3 + v4);
storeI(s0 + e, v1);
storeU(s1 + e, v5);
}
}

// mul add
fn k8(p0: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadU(p0);
var v1 = 1664525u;
let v2 = (o0 * v1);
var v3 = 1013904223u;
let v4 = (v2 + v3);
storeU(s0 + e, v4);
}
}

// mul add mul add mul add mul add mul add shiftRight bitXor shiftRight bitXor shiftRight bitXor shiftRight bitXor mul add mul add mul add mul add shiftRight shiftRight shiftRight shiftRight
fn k9(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, s1: i32, s2: i32, s3: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadU(p0 + c0);
let o1 = loadU(p1);
let o2 = loadU(p2);
let o3 = loadU(p3);
var v4 = 1664525u;
let v5 = (o0 * v4);
var v6 = 1013904223u;
let v7 = (v5 + v6);
let v8 = (o1 * v7);
let v9 = (o2 + v8);
let v10 = (o3 * v9);
let v11 = (o1 + v10);
let v12 = (v9 * v11);
let v13 = (o3 + v12);
let v14 = (v11 * v13);
let v15 = (v7 + v14);
let v16 = (v9 >> 16u);
let v17 = (v9 ^ v16);
let v18 = (v11 >> 16u);
let v19 = (v11 ^ v18);
let v20 = (v13 >> 16u);
let v21 = (v13 ^ v20);
let v22 = (v15 >> 16u);
let v23 = (v15 ^ v22);
let v24 = (v19 * v23);
let v25 = (v17 + v24);
let v26 = (v21 * v25);
let v27 = (v19 + v26);
let v28 = (v25 * v27);
let v29 = (v21 + v28);
let v30 = (v27 * v29);
let v31 = (v23 + v30);
let v32 = (v25 >> 8u);
let v33 = (v27 >> 8u);
let v34 = (v29 >> 8u);
let v35 = (v31 >> 8u);
storeU(s0 + e, v32);
storeU(s1 + e, v33);
storeU(s2 + e, v34);
storeU(s3 + e, v35);
}
}

// cast mul cast mul cast mul cast mul mul add mul add mul add mul add add
fn k10(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadI(p0 + c0);
let o1 = loadI(p1 + c0);
let o2 = loadI(p2 + c0);
let o3 = loadI(p3 + c0);
let v4 = f32(o0);
var v5 = bitcast<f32>(0x33800000u);
let v6 = (v4 * v5);
let v7 = f32(o1);
var v8 = bitcast<f32>(0x33800000u);
let v9 = (v7 * v8);
let v10 = f32(o2);
var v11 = bitcast<f32>(0x33800000u);
let v12 = (v10 * v11);
let v13 = f32(o3);
var v14 = bitcast<f32>(0x33800000u);
let v15 = (v13 * v14);
var v16 = bitcast<f32>(0x3dcccccdu);
let v17 = (v6 * v16);
var v18 = bitcast<f32>(0xbd4ccccdu);
let v19 = (v17 + v18);
var v20 = bitcast<f32>(0x3dcccccdu);
let v21 = (v9 * v20);
var v22 = bitcast<f32>(0xbd4ccccdu);
let v23 = (v21 + v22);
var v24 = bitcast<f32>(0x3dcccccdu);
let v25 = (v12 * v24);
var v26 = bitcast<f32>(0xbd4ccccdu);
let v27 = (v25 + v26);
var v28 = bitcast<f32>(0x3dcccccdu);
let v29 = (v15 * v28);
var v30 = bitcast<f32>(0xbd4ccccdu);
let v31 = (v29 + v30);
var v32 = bitcast<f32>(0x0u);
var v33 = bitcast<f32>(0x3f800000u);
let v34 = (v32 + v33);
storeF(s0 + e, v19);
storeF(s1 + e, v23);
storeF(s2 + e, v27);
storeF(s3 + e, v31);
storeF(s4 + e, v34);
}
}

// constant
fn k11(s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
var v0 = i32(0);
storeI(s0 + e, v0);
}
}

// constant
fn k12(s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
var v0 = bitcast<f32>(0x0u);
storeF(s0 + e, v0);
}
}

// stage
fn k13(to: i32, source: i32, rows: i32, columns: i32) {
if (to < 0) { return; }
let across = (columns + 3) / 4;
for (var i = lid; i < rows * across; i += WG) {
  let row = source + (i / across) * columns;
  let c = (i % across) * 4;
  let last = columns - 1;
  matrices[to + i] = vec4<f32>(loadF(row + c), loadF(row + min(c + 1, last)), loadF(row + min(c + 2, last)), loadF(row + min(c + 3, last)));
}
}

// sub standardize mul add relu
fn k14(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, s0: i32, d0: i32, d1: i32) {
for (var e = lid; e < d0 * d1; e += WG) {
let c1 = (e) % d1;
let c0 = (e) / d1;
let o0 = loadF(p0 + c1 + c0 * d1);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2 + c0);
let o3 = loadF(p3 + c1);
let o4 = loadF(p4 + c1);
let v5 = (o0 - o1);
let v6 = (v5 * o2);
let v7 = (v6 * o3);
let v8 = (v7 + o4);
let v9 = select(v8, 0.0, v8 < 0.0);
storeF(s0 + e, v9);
}
}

// sub standardize relu
fn k15(p0: i32, p1: i32, p2: i32, s0: i32, d0: i32, d1: i32) {
for (var e = lid; e < d0 * d1; e += WG) {
let c1 = (e) % d1;
let c0 = (e) / d1;
let o0 = loadF(p0 + c1 + c0 * d1);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2 + c0);
let v3 = (o0 - o1);
let v4 = (v3 * o2);
let v5 = select(v4, 0.0, v4 < 0.0);
storeF(s0 + e, v5);
}
}

// equal select sin cos mul mul mul add div mul mul sub mul mul sub mul div mul mul sub mul add mul add mul add mul add abs greater abs greater or add lessEqual or cast sub mul lessEqual select select select select mul add
fn k16(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32, s6: i32, r0: i32, d0: i32) {
var total0 = 0.0;
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadI(p0 + c0);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2 + c0);
let o3 = loadF(p3 + c0);
let o4 = loadF(p4 + c0);
let o5 = loadI(p5 + c0);
let o6 = loadF(p6 + c0);
let o7 = loadF(p7 + c0);
var v8 = i32(1);
let v9 = (o0 == v8);
var v10 = bitcast<f32>(0x41200000u);
var v11 = bitcast<f32>(0xc1200000u);
let v12 = select(v11, v10, v9);
let v13 = sinOf(o1);
let v14 = cosOf(o1);
let v15 = (o2 * o2);
let v16 = (v15 * v13);
var v17 = bitcast<f32>(0x3d4ccccdu);
let v18 = (v16 * v17);
let v19 = (v12 + v18);
var v20 = bitcast<f32>(0x3f8ccccdu);
let v21 = (v19 / v20);
var v22 = bitcast<f32>(0x411ccccdu);
let v23 = (v13 * v22);
let v24 = (v14 * v21);
let v25 = (v23 - v24);
let v26 = (v14 * v14);
var v27 = bitcast<f32>(0x3dba2e8cu);
let v28 = (v26 * v27);
var v29 = bitcast<f32>(0x3faaaaabu);
let v30 = (v29 - v28);
var v31 = bitcast<f32>(0x3f000000u);
let v32 = (v30 * v31);
let v33 = (v25 / v32);
let v34 = (v33 * v14);
var v35 = bitcast<f32>(0x3d3a2e8cu);
let v36 = (v34 * v35);
let v37 = (v21 - v36);
var v38 = bitcast<f32>(0x3ca3d70au);
let v39 = (o3 * v38);
let v40 = (o4 + v39);
var v41 = bitcast<f32>(0x3ca3d70au);
let v42 = (v37 * v41);
let v43 = (o3 + v42);
var v44 = bitcast<f32>(0x3ca3d70au);
let v45 = (o2 * v44);
let v46 = (o1 + v45);
var v47 = bitcast<f32>(0x3ca3d70au);
let v48 = (v33 * v47);
let v49 = (o2 + v48);
let v50 = abs(v40);
var v51 = bitcast<f32>(0x4019999au);
let v52 = (v50 > v51);
let v53 = abs(v46);
var v54 = bitcast<f32>(0x3e567750u);
let v55 = (v53 > v54);
let v56 = (v52 || v55);
var v57 = i32(1);
let v58 = (o5 + v57);
var v59 = i32(500);
let v60 = (v59 <= v58);
let v61 = (v56 || v60);
let v62 = select(f32(0), f32(1), v61);
var v63 = bitcast<f32>(0x3f800000u);
let v64 = (v63 - v62);
let v65 = (o6 * v64);
var v66 = bitcast<f32>(0x3f000000u);
let v67 = (v66 <= o6);
let v68 = select(o4, v40, v67);
let v69 = select(o3, v43, v67);
let v70 = select(o1, v46, v67);
let v71 = select(o2, v49, v67);
var v72 = bitcast<f32>(0x3f800000u);
let v73 = (o6 * v72);
let v74 = (o7 + v73);
storeF(s0 + e, v68);
storeF(s1 + e, v69);
storeF(s2 + e, v70);
storeF(s3 + e, v71);
storeI(s4 + e, v58);
storeF(s5 + e, v74);
storeF(s6 + e, v65);
total0 = total0 + v65;
}
let all0 = sumOver(total0);
if (lid == 0) { storeF(r0, all0); }
workgroupBarrier();
}

// lessEqual
fn k17(p0: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
var v1 = bitcast<f32>(0x0u);
let v2 = (o0 <= v1);
storeB(s0 + e, v2);
}
}

// copy
fn k18(to: i32, source: i32, words: i32) {
for (var i = lid; i < words; i += WG) {
  heap[to + i] = heap[source + i];
}
}

@compute @workgroup_size(WG) fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
lid = i32(local);
let record = i32(group.x) * 7;
let base = memberWord(record);
let limit = table[3];
var spent = 0;
var left = 1;
var stage = 0;
if (limit > 0) {
left = memberWord(record + 1);
stage = memberWord(record + 2);
}
for (; left > 0; left--) {
if (stage <= 1) {
if (limit > 0 && spent >= limit) {
suspend(record, left, 1, 0, 0, 0, 0);
return;
}
stage = 0;
spent += table[base + 0];
k0(table[base + 1], table[base + 2]);
storageBarrier();
k6(table[base + 3], table[base + 4]);
storageBarrier();
k7(table[base + 5], table[base + 6], table[base + 7]);
storageBarrier();
k8(table[base + 6], table[base + 8]);
storageBarrier();
k9(table[base + 1], table[base + 7], table[base + 4], table[base + 8], table[base + 9], table[base + 10], table[base + 11], table[base + 12], table[base + 2]);
storageBarrier();
k10(table[base + 9], table[base + 10], table[base + 11], table[base + 12], table[base + 13], table[base + 14], table[base + 15], table[base + 16], table[base + 17], table[base + 2]);
storageBarrier();
k11(table[base + 18], table[base + 2]);
storageBarrier();
k12(table[base + 19], table[base + 2]);
storageBarrier();
}
if (stage <= 3) {
var i0 = 0;
var count_i0 = 0;
if (stage >= 2) {
i0 = memberWord(record + 3);
count_i0 = memberWord(record + 4);
} else {
count_i0 = uniformLoad(table[base + 20]);
}
k13(table[base + 21], table[base + 22], 4, table[base + 23]);
k13(table[base + 24], table[base + 25], table[base + 23], table[base + 26]);
k13(table[base + 27], table[base + 28], table[base + 26], table[base + 29]);
k13(table[base + 30], table[base + 31], table[base + 29], 2);
workgroupBarrier();
for (; i0 < count_i0; i0++) {
if (stage <= 2) {
if (limit > 0 && spent >= limit) {
suspend(record, left, 2, i0, count_i0, 0, 0);
return;
}
stage = 0;
spent += table[base + 32];
}
if (stage <= 3) {
k1(table[base + 33], table[base + 13], table[base + 2], 1, 4, 1, 0, 0);
storageBarrier();
k1(table[base + 33], table[base + 14], table[base + 2], 1, 4, 1, 1, 0);
storageBarrier();
k1(table[base + 33], table[base + 15], table[base + 2], 1, 4, 1, 2, 0);
storageBarrier();
k1(table[base + 33], table[base + 16], table[base + 2], 1, 4, 1, 3, 0);
storageBarrier();
k2(table[base + 34], table[base + 33], table[base + 22], table[base + 2], table[base + 23], 4, table[base + 35], table[base + 21]);
storageBarrier();
k3(table[base + 36], table[base + 34], table[base + 2], table[base + 23]);
storageBarrier();
k4(table[base + 37], table[base + 34], table[base + 2], table[base + 23], table[base + 36]);
storageBarrier();
k14(table[base + 34], table[base + 36], table[base + 37], table[base + 38], table[base + 39], table[base + 40], table[base + 2], table[base + 23]);
storageBarrier();
k2(table[base + 41], table[base + 40], table[base + 25], table[base + 2], table[base + 26], table[base + 23], table[base + 42], table[base + 24]);
storageBarrier();
k3(table[base + 43], table[base + 41], table[base + 2], table[base + 26]);
storageBarrier();
k4(table[base + 44], table[base + 41], table[base + 2], table[base + 26], table[base + 43]);
storageBarrier();
k15(table[base + 41], table[base + 43], table[base + 44], table[base + 45], table[base + 2], table[base + 26]);
storageBarrier();
k2(table[base + 46], table[base + 45], table[base + 28], table[base + 2], table[base + 29], table[base + 26], table[base + 47], table[base + 27]);
storageBarrier();
k3(table[base + 48], table[base + 46], table[base + 2], table[base + 29]);
storageBarrier();
k4(table[base + 49], table[base + 46], table[base + 2], table[base + 29], table[base + 48]);
storageBarrier();
k14(table[base + 46], table[base + 48], table[base + 49], table[base + 50], table[base + 51], table[base + 52], table[base + 2], table[base + 29]);
storageBarrier();
k2(table[base + 53], table[base + 52], table[base + 31], table[base + 2], 2, table[base + 29], table[base + 54], table[base + 30]);
storageBarrier();
k5(table[base + 55], table[base + 53], table[base + 2], 2);
storageBarrier();
k16(table[base + 55], table[base + 15], table[base + 16], table[base + 14], table[base + 13], table[base + 18], table[base + 17], table[base + 19], table[base + 13], table[base + 14], table[base + 15], table[base + 16], table[base + 18], table[base + 19], table[base + 17], table[base + 56], table[base + 2]);
storageBarrier();
k17(table[base + 56], table[base + 57]);
storageBarrier();
}
if (uniformLoad(table[base + 57]) != 0) { break; }
}
}
if (stage <= 4) {
if (limit > 0 && spent >= limit) {
suspend(record, left, 4, 0, 0, 0, 0);
return;
}
stage = 0;
spent += table[base + 58];
k18(table[base + 59], table[base + 19], table[base + 2]);
storageBarrier();
}
}
if (limit > 0) { suspend(record, 0, 0, 0, 0, 0, 0); }
}
