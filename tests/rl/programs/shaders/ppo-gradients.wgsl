// PPO.gradients
// dimValue i32
fn k0(out: i32, value: i32) {
if (lid == 0) { storeI(out, value); }
}

// writeRows
fn k1(to: i32, index: i32, rows: i32, count: i32, length: i32) {
for (var j = lid; j < length; j += WG) {
  for (var i = 0; i < count; i++) { heap[to + loadI(index + i) * length + j] = heap[rows + i * length + j]; }
}
}

// iota
fn k2(out: i32, n: i32) {
for (var i = lid; i < n; i += WG) {
  storeI(out + i, i);
}
}

// takeRows
fn k3(out: i32, x: i32, index: i32, rows: i32, length: i32) {
for (var i = lid; i < rows * length; i += WG) {
  heap[out + i] = heap[x + loadI(index + i / length) * length + i % length];
}
}

// matmul staged true
fn k4(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32, bias: i32, staged: i32) {
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
fn k5(out: i32, x: i32, rows: i32, width: i32) {
for (var r = lid; r < rows; r += WG) {
  var sum = 0.0;
  for (var j = 0; j < width; j++) { sum += loadF(x + r * width + j); }
  storeF(out + r, sum / f32(width));
}
}

// rowScale
fn k6(out: i32, x: i32, rows: i32, width: i32, means: i32) {
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

// matmul false true false
fn k7(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32) {
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
  let start = vec4<f32>(0.0);
  var s0 = start;
  var s1 = start;
  var s2 = start;
  var s3 = start;
  for (var k = 0; k < depth; k++) {
    let across = vec4<f32>(loadF(b + c0 * depth + k), loadF(b + c1 * depth + k), loadF(b + c2 * depth + k), loadF(b + c3 * depth + k));
    s0 += loadF(a + r0 * depth + k) * across;
    s1 += loadF(a + r1 * depth + k) * across;
    s2 += loadF(a + r2 * depth + k) * across;
    s3 += loadF(a + r3 * depth + k) * across;
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

// matmul true false false
fn k8(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32) {
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
  let start = vec4<f32>(0.0);
  var s0 = start;
  var s1 = start;
  var s2 = start;
  var s3 = start;
  for (var k = 0; k < depth; k++) {
    let across = vec4<f32>(loadF(b + k * n + c0), loadF(b + k * n + c1), loadF(b + k * n + c2), loadF(b + k * n + c3));
    s0 += loadF(a + k * m + r0) * across;
    s1 += loadF(a + k * m + r1) * across;
    s2 += loadF(a + k * m + r2) * across;
    s3 += loadF(a + k * m + r3) * across;
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

// dimValue f32
fn k9(out: i32, value: i32) {
if (lid == 0) { storeF(out, f32(value)); }
}

// constant
fn k10(s0: i32) {
for (var e = lid; e < 1; e += WG) {

var v0 = bitcast<f32>(0x0u);
storeF(s0 + e, v0);
}
}

// mul
fn k11(p0: i32, p1: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadI(p0);
let o1 = loadI(p1);
let v2 = (o0 * o1);
storeI(s0 + e, v2);
}
}

// add
fn k12(p0: i32, p1: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadI(p0);
let o1 = loadI(p1);
let v2 = (o0 + o1);
storeI(s0 + e, v2);
}
}

// less equal and cast
fn k13(p0: i32, p1: i32, p2: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadI(p0);
let o1 = loadI(p1);
let o2 = loadI(p2);
let v3 = (o0 < o1);
var v4 = i32(1);
let v5 = (o2 == v4);
let v6 = (v5 && v3);
let v7 = select(i32(0), i32(1), v6);
storeI(s0 + e, v7);
}
}

// stage
fn k14(to: i32, source: i32, rows: i32, columns: i32) {
if (to < 0) { return; }
let across = (columns + 3) / 4;
for (var i = lid; i < rows * across; i += WG) {
  let row = source + (i / across) * columns;
  let c = (i % across) * 4;
  let last = columns - 1;
  matrices[to + i] = vec4<f32>(loadF(row + c), loadF(row + min(c + 1, last)), loadF(row + min(c + 2, last)), loadF(row + min(c + 3, last)));
}
}

// add sub sub add
fn k15(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, s1: i32, s2: i32, s3: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadI(p0);
let o1 = loadI(p1);
let o2 = loadI(p2);
let o3 = loadF(p3);
let v4 = (o0 + o1);
var v5 = i32(1);
let v6 = (o2 - v5);
var v7 = bitcast<f32>(0x3f800000u);
let v8 = (v7 - o3);
var v9 = bitcast<f32>(0x3f800000u);
let v10 = (v9 + o3);
storeI(s0 + e, v4);
storeI(s1 + e, v6);
storeF(s2 + e, v8);
storeF(s3 + e, v10);
}
}

// add minimum less cast
fn k16(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, s1: i32, r0: i32, r1: i32, r2: i32, r3: i32, r4: i32, d0: i32) {
var total0 = 0.0;
var total1 = 0.0;
var total2 = 0.0;
var total3 = 0.0;
var total4 = 0.0;
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadI(p0);
let o1 = loadI(p1 + c0);
let o2 = loadI(p2);
let o3 = loadI(p3);
let v4 = (o0 + o1);
let v5 = select(v4, o2, o2 < v4);
let v6 = (v4 < o3);
let v7 = select(f32(0), f32(1), v6);
storeI(s0 + e, v5);
storeF(s1 + e, v7);
total0 = total0 + v7;
total1 = total1 + v7;
total2 = total2 + v7;
total3 = total3 + v7;
total4 = total4 + v7;
}
let all0 = sumOver(total0);
if (lid == 0) { storeF(r0, all0); }
workgroupBarrier();
let all1 = sumOver(total1);
if (lid == 0) { storeF(r1, all1); }
workgroupBarrier();
let all2 = sumOver(total2);
if (lid == 0) { storeF(r2, all2); }
workgroupBarrier();
let all3 = sumOver(total3);
if (lid == 0) { storeF(r3, all3); }
workgroupBarrier();
let all4 = sumOver(total4);
if (lid == 0) { storeF(r4, all4); }
workgroupBarrier();
}

// sub standardize mul add relu
fn k17(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, s0: i32, s1: i32, d0: i32, d1: i32) {
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
storeF(s1 + e, v6);
}
}

// sub standardize relu
fn k18(p0: i32, p1: i32, p2: i32, s0: i32, s1: i32, d0: i32, d1: i32) {
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
storeF(s1 + e, v4);
}
}

// constant
fn k19(p0: i32, r0: i32, d0: i32, d1: i32) {
for (var row = lid; row < d0; row += WG) {
let c0 = row;
var total0 = (-infinity());
for (var c1 = 0; c1 < d1; c1++) {
let e = row * d1 + c1;
let o0 = loadF(p0 + c1 + c0 * d1);

total0 = select(total0, o0, total0 < o0);
}
storeF(r0 + row, total0);
}
}

// sub exp
fn k20(p0: i32, p1: i32, s0: i32, s1: i32, r0: i32, d0: i32, d1: i32) {
for (var row = lid; row < d0; row += WG) {
let c0 = row;
var total0 = 0.0;
for (var c1 = 0; c1 < d1; c1++) {
let e = row * d1 + c1;
let o0 = loadF(p0 + c1 + c0 * d1);
let o1 = loadF(p1 + c0);
let v2 = (o0 - o1);
let v3 = expOf(v2);
storeF(s0 + e, v2);
storeF(s1 + e, v3);
total0 = total0 + v3;
}
storeF(r0 + row, total0);
}
}

// log
fn k21(p0: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let v1 = logOf(o0);
storeF(s0 + e, v1);
}
}

// sub exp mul
fn k22(p0: i32, p1: i32, s0: i32, s1: i32, r0: i32, d0: i32, d1: i32) {
for (var row = lid; row < d0; row += WG) {
let c0 = row;
var total0 = 0.0;
for (var c1 = 0; c1 < d1; c1++) {
let e = row * d1 + c1;
let o0 = loadF(p0 + c1 + c0 * d1);
let o1 = loadF(p1 + c0);
let v2 = (o0 - o1);
let v3 = expOf(v2);
let v4 = (v3 * v2);
storeF(s0 + e, v2);
storeF(s1 + e, v3);
total0 = total0 + v4;
}
storeF(r0 + row, total0);
}
}

// equal select
fn k23(p0: i32, p1: i32, p2: i32, s0: i32, r0: i32, d0: i32, d1: i32) {
for (var row = lid; row < d0; row += WG) {
let c0 = row;
var total0 = 0.0;
for (var c1 = 0; c1 < d1; c1++) {
let e = row * d1 + c1;
let o0 = loadI(p0 + c1);
let o1 = loadI(p1 + c0);
let o2 = loadF(p2 + c1 + c0 * d1);
let v3 = (o0 == o1);
var v4 = bitcast<f32>(0x0u);
let v5 = select(v4, o2, v3);
storeB(s0 + e, v3);
total0 = total0 + v5;
}
storeF(r0 + row, total0);
}
}

// sub exp maximum minimum mul mul minimum mul sub mul mul neg mul sub sub mul less less less
fn k24(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, r0: i32, r1: i32, r2: i32, r3: i32, d0: i32) {
var total0 = 0.0;
var total1 = 0.0;
var total2 = 0.0;
var total3 = 0.0;
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2);
let o3 = loadF(p3);
let o4 = loadF(p4 + c0);
let o5 = loadF(p5 + c0);
let o6 = loadF(p6 + c0);
let o7 = loadF(p7 + c0);
let o8 = loadF(p8 + c0);
let v9 = (o0 - o1);
let v10 = expOf(v9);
let v11 = select(v10, o2, v10 < o2);
let v12 = select(v11, o3, o3 < v11);
let v13 = (v10 * o4);
let v14 = (v12 * o4);
let v15 = select(v13, v14, v14 < v13);
let v16 = (v15 * o5);
let v17 = (o6 - o7);
let v18 = (v17 * v17);
let v19 = (v18 * o5);
let v20 = (-o8);
let v21 = (v20 * o5);
var v22 = bitcast<f32>(0x3f800000u);
let v23 = (v10 - v22);
let v24 = (v23 - v9);
let v25 = (v24 * o5);
let v26 = (v14 < v13);
let v27 = (o3 < v11);
let v28 = (v10 < o2);
storeF(s0 + e, v17);
storeB(s1 + e, v26);
storeB(s2 + e, v27);
storeB(s3 + e, v28);
storeF(s4 + e, v10);
total0 = total0 + v16;
total1 = total1 + v19;
total2 = total2 + v21;
total3 = total3 + v25;
}
let all0 = sumOver(total0);
if (lid == 0) { storeF(r0, all0); }
workgroupBarrier();
let all1 = sumOver(total1);
if (lid == 0) { storeF(r1, all1); }
workgroupBarrier();
let all2 = sumOver(total2);
if (lid == 0) { storeF(r2, all2); }
workgroupBarrier();
let all3 = sumOver(total3);
if (lid == 0) { storeF(r3, all3); }
workgroupBarrier();
}

// div neg div mul div mul add mul sub div neg neg mul mul div mul div neg div
fn k25(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, p9: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32, s6: i32, s7: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
let o1 = loadF(p1);
let o2 = loadF(p2);
let o3 = loadF(p3);
let o4 = loadF(p4);
let o5 = loadF(p5);
let o6 = loadF(p6);
let o7 = loadF(p7);
let o8 = loadF(p8);
let o9 = loadF(p9);
let v10 = (o0 / o1);
let v11 = (-v10);
let v12 = (o2 / o3);
var v13 = bitcast<f32>(0x3f000000u);
let v14 = (v12 * v13);
let v15 = (o4 / o5);
let v16 = (o6 * v14);
let v17 = (v11 + v16);
let v18 = (o7 * v15);
let v19 = (v17 - v18);
let v20 = (o8 / o9);
let v21 = (-v15);
var v22 = bitcast<f32>(0x3f800000u);
let v23 = (-v22);
let v24 = (v23 * o7);
let v25 = (v22 * o6);
let v26 = (v24 / o5);
let v27 = (v25 * v13);
let v28 = (v27 / o3);
let v29 = (-v22);
let v30 = (v29 / o1);
storeF(s0 + e, v26);
storeF(s1 + e, v28);
storeF(s2 + e, v30);
storeF(s3 + e, v19);
storeF(s4 + e, v11);
storeF(s5 + e, v14);
storeF(s6 + e, v21);
storeF(s7 + e, v20);
}
}

// broadcast mul neg broadcast mul mul mul add broadcast mul select select mul mul select select add mul
fn k26(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, p9: i32, s0: i32, s1: i32, s2: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2);
let o3 = loadF(p3 + c0);
let o4 = loadF(p4);
let o5 = loadB(p5 + c0);
let o6 = loadF(p6 + c0);
let o7 = loadB(p7 + c0);
let o8 = loadB(p8 + c0);
let o9 = loadF(p9 + c0);
let v10 = o0;
let v11 = (v10 * o1);
let v12 = (-v11);
let v13 = o2;
let v14 = (v13 * o1);
let v15 = (v14 * o3);
let v16 = (v14 * o3);
let v17 = (v15 + v16);
let v18 = o4;
let v19 = (v18 * o1);
var v20 = bitcast<f32>(0x0u);
let v21 = select(v19, v20, o5);
var v22 = bitcast<f32>(0x0u);
let v23 = select(v22, v19, o5);
let v24 = (v23 * o6);
let v25 = (v21 * o6);
var v26 = bitcast<f32>(0x0u);
let v27 = select(v24, v26, o7);
var v28 = bitcast<f32>(0x0u);
let v29 = select(v27, v28, o8);
let v30 = (v25 + v29);
let v31 = (v30 * o9);
storeF(s0 + e, v12);
storeF(s1 + e, v31);
storeF(s2 + e, v17);
}
}

// broadcast mul mul mul add broadcast select add neg
fn k27(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, s0: i32, r0: i32, d0: i32, d1: i32) {
for (var row = lid; row < d0; row += WG) {
let c0 = row;
var total0 = 0.0;
for (var c1 = 0; c1 < d1; c1++) {
let e = row * d1 + c1;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c1 + c0 * d1);
let o2 = loadF(p2 + c1 + c0 * d1);
let o3 = loadF(p3 + c0);
let o4 = loadB(p4 + c1 + c0 * d1);
let v5 = o0;
let v6 = (v5 * o1);
let v7 = (v5 * o2);
let v8 = (v6 * o2);
let v9 = (v7 + v8);
let v10 = o3;
var v11 = bitcast<f32>(0x0u);
let v12 = select(v11, v10, o4);
let v13 = (v9 + v12);
let v14 = (-v13);
storeF(s0 + e, v13);
total0 = total0 + v14;
}
storeF(r0 + row, total0);
}
}

// sum
fn k28(p0: i32, to: i32, outer: i32, axis: i32, inner: i32) {
for (var e = lid; e < outer * inner; e += WG) {
let o = e / inner;
let j = e % inner;
var total = 0.0;
for (var a = 0; a < axis; a++) {
let x0 = loadF(p0 + a);

total = total + x0;
}
storeF(to + e, total);
}
}

// gate mul mul
fn k29(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, s1: i32, r0: i32, r1: i32, d0: i32, d1: i32) {
for (var row = lid; row < d0; row += WG) {
let c0 = row;
var total0 = 0.0;
var total1 = 0.0;
for (var c1 = 0; c1 < d1; c1++) {
let e = row * d1 + c1;
let o0 = loadF(p0 + c1 + c0 * d1);
let o1 = loadF(p1 + c1 + c0 * d1);
let o2 = loadF(p2 + c1);
let o3 = loadF(p3 + c1 + c0 * d1);
let v4 = select(o1, 0.0, o0 <= 0.0);
let v5 = (v4 * o2);
let v6 = (v5 * o3);
storeF(s0 + e, v4);
storeF(s1 + e, v5);
total0 = total0 + v5;
total1 = total1 + v6;
}
storeF(r0 + row, total0);
storeF(r1 + row, total1);
}
}

// sum
fn k30(p0: i32, to: i32, outer: i32, axis: i32, inner: i32) {
for (var e = lid; e < outer * inner; e += WG) {
let o = e / inner;
let j = e % inner;
var total = 0.0;
for (var a = 0; a < axis; a++) {
let x0 = loadF(p0 + a * inner + j);

total = total + x0;
}
storeF(to + e, total);
}
}

// mul sum
fn k31(p0: i32, p1: i32, to: i32, outer: i32, axis: i32, inner: i32) {
for (var e = lid; e < outer * inner; e += WG) {
let o = e / inner;
let j = e % inner;
var total = 0.0;
for (var a = 0; a < axis; a++) {
let x0 = loadF(p0 + a * inner + j);
let x1 = loadF(p1 + a * inner + j);
let v2 = (x0 * x1);
total = total + v2;
}
storeF(to + e, total);
}
}

// div
fn k32(p0: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
var v1 = bitcast<f32>(0x3f800000u);
let v2 = (v1 / o0);
storeF(s0 + e, v2);
}
}

// mul add mul sub mul
fn k33(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, s0: i32, d0: i32, d1: i32) {
for (var e = lid; e < d0 * d1; e += WG) {
let c1 = (e) % d1;
let c0 = (e) / d1;
let o0 = loadF(p0 + c1 + c0 * d1);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2 + c0);
let o3 = loadF(p3);
let o4 = loadF(p4 + c1 + c0 * d1);
let o5 = loadF(p5 + c0);
let v6 = (o0 * o1);
let v7 = (o2 + v6);
let v8 = (v7 * o3);
let v9 = (o4 - v8);
let v10 = (v9 * o5);
storeF(s0 + e, v10);
}
}

// div
fn k34(p0: i32, p1: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
let v2 = (o0 / o1);
storeF(s0 + e, v2);
}
}

// broadcast mul add
fn k35(p0: i32, p1: i32, p2: i32, s0: i32, d0: i32, d1: i32) {
for (var e = lid; e < d0 * d1; e += WG) {
let c1 = (e) % d1;
let c0 = (e) / d1;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c1 + c0 * d1);
let o2 = loadF(p2 + c1 + c0 * d1);
let v3 = o0;
let v4 = (v3 * o1);
let v5 = (o2 + v4);
storeF(s0 + e, v5);
}
}

// add gate mul
fn k36(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, r0: i32, r1: i32, d0: i32, d1: i32) {
for (var row = lid; row < d0; row += WG) {
let c0 = row;
var total0 = 0.0;
var total1 = 0.0;
for (var c1 = 0; c1 < d1; c1++) {
let e = row * d1 + c1;
let o0 = loadF(p0 + c1 + c0 * d1);
let o1 = loadF(p1 + c1 + c0 * d1);
let o2 = loadF(p2 + c1 + c0 * d1);
let o3 = loadF(p3 + c1 + c0 * d1);
let v4 = (o0 + o1);
let v5 = select(v4, 0.0, o2 <= 0.0);
let v6 = (v5 * o3);
storeF(s0 + e, v5);
total0 = total0 + v5;
total1 = total1 + v6;
}
storeF(r0 + row, total0);
storeF(r1 + row, total1);
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
k10(table[base + 3]);
storageBarrier();
k1(table[base + 4], table[base + 1], table[base + 3], 1, 1);
storageBarrier();
k0(table[base + 5], table[base + 6]);
storageBarrier();
k11(table[base + 7], table[base + 5], table[base + 8]);
storageBarrier();
k0(table[base + 9], table[base + 10]);
storageBarrier();
k12(table[base + 8], table[base + 9], table[base + 11]);
storageBarrier();
k0(table[base + 12], table[base + 13]);
storageBarrier();
k13(table[base + 11], table[base + 12], table[base + 14], table[base + 15]);
storageBarrier();
}
if (stage <= 3) {
var i0 = 0;
var count_i0 = 0;
if (stage >= 2) {
i0 = memberWord(record + 3);
count_i0 = memberWord(record + 4);
} else {
count_i0 = uniformLoad(table[base + 15]);
}
k14(table[base + 16], table[base + 17], 4, table[base + 18]);
k14(table[base + 19], table[base + 20], table[base + 18], table[base + 21]);
k14(table[base + 22], table[base + 23], table[base + 21], table[base + 24]);
k14(table[base + 25], table[base + 26], table[base + 24], 2);
k14(table[base + 27], table[base + 28], table[base + 21], table[base + 29]);
k14(table[base + 30], table[base + 31], table[base + 29], 1);
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
k0(table[base + 33], table[base + 13]);
storageBarrier();
k0(table[base + 34], table[base + 6]);
storageBarrier();
k11(table[base + 7], table[base + 34], table[base + 35]);
storageBarrier();
k0(table[base + 36], table[base + 10]);
storageBarrier();
k15(table[base + 35], table[base + 36], table[base + 33], table[base + 37], table[base + 38], table[base + 39], table[base + 40], table[base + 41]);
storageBarrier();
k2(table[base + 42], table[base + 43]);
storageBarrier();
k16(table[base + 38], table[base + 42], table[base + 39], table[base + 33], table[base + 44], table[base + 45], table[base + 46], table[base + 47], table[base + 48], table[base + 49], table[base + 50], table[base + 43]);
storageBarrier();
k3(table[base + 51], table[base + 52], table[base + 44], table[base + 43], 1);
storageBarrier();
k3(table[base + 53], table[base + 54], table[base + 51], table[base + 43], 4);
storageBarrier();
k3(table[base + 55], table[base + 56], table[base + 51], table[base + 43], 1);
storageBarrier();
k3(table[base + 57], table[base + 58], table[base + 51], table[base + 43], 1);
storageBarrier();
k3(table[base + 59], table[base + 60], table[base + 51], table[base + 43], 1);
storageBarrier();
k3(table[base + 61], table[base + 62], table[base + 51], table[base + 43], 1);
storageBarrier();
k4(table[base + 63], table[base + 53], table[base + 17], table[base + 43], table[base + 18], 4, table[base + 64], table[base + 16]);
storageBarrier();
k5(table[base + 65], table[base + 63], table[base + 43], table[base + 18]);
storageBarrier();
k6(table[base + 66], table[base + 63], table[base + 43], table[base + 18], table[base + 65]);
storageBarrier();
k17(table[base + 63], table[base + 65], table[base + 66], table[base + 67], table[base + 68], table[base + 69], table[base + 70], table[base + 43], table[base + 18]);
storageBarrier();
k4(table[base + 71], table[base + 69], table[base + 20], table[base + 43], table[base + 21], table[base + 18], table[base + 72], table[base + 19]);
storageBarrier();
k5(table[base + 73], table[base + 71], table[base + 43], table[base + 21]);
storageBarrier();
k6(table[base + 74], table[base + 71], table[base + 43], table[base + 21], table[base + 73]);
storageBarrier();
k18(table[base + 71], table[base + 73], table[base + 74], table[base + 75], table[base + 76], table[base + 43], table[base + 21]);
storageBarrier();
k4(table[base + 77], table[base + 75], table[base + 23], table[base + 43], table[base + 24], table[base + 21], table[base + 78], table[base + 22]);
storageBarrier();
k5(table[base + 79], table[base + 77], table[base + 43], table[base + 24]);
storageBarrier();
k6(table[base + 80], table[base + 77], table[base + 43], table[base + 24], table[base + 79]);
storageBarrier();
k17(table[base + 77], table[base + 79], table[base + 80], table[base + 81], table[base + 82], table[base + 83], table[base + 84], table[base + 43], table[base + 24]);
storageBarrier();
k4(table[base + 85], table[base + 83], table[base + 26], table[base + 43], 2, table[base + 24], table[base + 86], table[base + 25]);
storageBarrier();
k19(table[base + 85], table[base + 87], table[base + 43], 2);
storageBarrier();
k20(table[base + 85], table[base + 87], table[base + 88], table[base + 89], table[base + 90], table[base + 43], 2);
storageBarrier();
k21(table[base + 90], table[base + 91], table[base + 43]);
storageBarrier();
k22(table[base + 88], table[base + 91], table[base + 92], table[base + 93], table[base + 94], table[base + 43], 2);
storageBarrier();
k4(table[base + 95], table[base + 75], table[base + 28], table[base + 43], table[base + 29], table[base + 21], table[base + 96], table[base + 27]);
storageBarrier();
k5(table[base + 97], table[base + 95], table[base + 43], table[base + 29]);
storageBarrier();
k6(table[base + 98], table[base + 95], table[base + 43], table[base + 29], table[base + 97]);
storageBarrier();
k17(table[base + 95], table[base + 97], table[base + 98], table[base + 99], table[base + 100], table[base + 101], table[base + 102], table[base + 43], table[base + 29]);
storageBarrier();
k4(table[base + 103], table[base + 101], table[base + 31], table[base + 43], 1, table[base + 29], table[base + 104], table[base + 30]);
storageBarrier();
k2(table[base + 105], 2);
storageBarrier();
k23(table[base + 105], table[base + 55], table[base + 92], table[base + 106], table[base + 107], table[base + 43], 2);
storageBarrier();
k24(table[base + 107], table[base + 57], table[base + 40], table[base + 41], table[base + 59], table[base + 45], table[base + 103], table[base + 61], table[base + 94], table[base + 108], table[base + 109], table[base + 110], table[base + 111], table[base + 112], table[base + 113], table[base + 114], table[base + 115], table[base + 116], table[base + 43]);
storageBarrier();
k25(table[base + 113], table[base + 46], table[base + 114], table[base + 47], table[base + 115], table[base + 48], table[base + 117], table[base + 118], table[base + 116], table[base + 49], table[base + 119], table[base + 120], table[base + 121], table[base + 122], table[base + 123], table[base + 124], table[base + 125], table[base + 126]);
storageBarrier();
k26(table[base + 119], table[base + 45], table[base + 120], table[base + 108], table[base + 121], table[base + 109], table[base + 59], table[base + 110], table[base + 111], table[base + 112], table[base + 127], table[base + 128], table[base + 129], table[base + 43]);
storageBarrier();
k27(table[base + 127], table[base + 92], table[base + 93], table[base + 128], table[base + 106], table[base + 130], table[base + 131], table[base + 43], 2);
storageBarrier();
k7(table[base + 132], table[base + 129], table[base + 31], table[base + 43], table[base + 29], 1);
storageBarrier();
k8(table[base + 133], table[base + 101], table[base + 129], table[base + 29], 1, table[base + 43]);
storageBarrier();
k28(table[base + 129], table[base + 134], 1, table[base + 43], 1);
storageBarrier();
k29(table[base + 101], table[base + 132], table[base + 99], table[base + 102], table[base + 135], table[base + 136], table[base + 137], table[base + 138], table[base + 43], table[base + 29]);
storageBarrier();
k30(table[base + 135], table[base + 139], 1, table[base + 43], table[base + 29]);
storageBarrier();
k31(table[base + 135], table[base + 102], table[base + 140], 1, table[base + 43], table[base + 29]);
storageBarrier();
k9(table[base + 141], table[base + 29]);
storageBarrier();
k32(table[base + 141], table[base + 142]);
storageBarrier();
k33(table[base + 102], table[base + 138], table[base + 137], table[base + 142], table[base + 136], table[base + 98], table[base + 143], table[base + 43], table[base + 29]);
storageBarrier();
k7(table[base + 144], table[base + 143], table[base + 28], table[base + 43], table[base + 21], table[base + 29]);
storageBarrier();
k8(table[base + 145], table[base + 75], table[base + 143], table[base + 21], table[base + 29], table[base + 43]);
storageBarrier();
k30(table[base + 143], table[base + 146], 1, table[base + 43], table[base + 29]);
storageBarrier();
k34(table[base + 131], table[base + 90], table[base + 147], table[base + 43]);
storageBarrier();
k35(table[base + 147], table[base + 89], table[base + 130], table[base + 148], table[base + 43], 2);
storageBarrier();
k7(table[base + 149], table[base + 148], table[base + 26], table[base + 43], table[base + 24], 2);
storageBarrier();
k8(table[base + 150], table[base + 83], table[base + 148], table[base + 24], 2, table[base + 43]);
storageBarrier();
k30(table[base + 148], table[base + 151], 1, table[base + 43], 2);
storageBarrier();
k29(table[base + 83], table[base + 149], table[base + 81], table[base + 84], table[base + 152], table[base + 153], table[base + 154], table[base + 155], table[base + 43], table[base + 24]);
storageBarrier();
k30(table[base + 152], table[base + 156], 1, table[base + 43], table[base + 24]);
storageBarrier();
k31(table[base + 152], table[base + 84], table[base + 157], 1, table[base + 43], table[base + 24]);
storageBarrier();
k9(table[base + 158], table[base + 24]);
storageBarrier();
k32(table[base + 158], table[base + 159]);
storageBarrier();
k33(table[base + 84], table[base + 155], table[base + 154], table[base + 159], table[base + 153], table[base + 80], table[base + 160], table[base + 43], table[base + 24]);
storageBarrier();
k7(table[base + 161], table[base + 160], table[base + 23], table[base + 43], table[base + 21], table[base + 24]);
storageBarrier();
k8(table[base + 162], table[base + 75], table[base + 160], table[base + 21], table[base + 24], table[base + 43]);
storageBarrier();
k30(table[base + 160], table[base + 163], 1, table[base + 43], table[base + 24]);
storageBarrier();
k36(table[base + 144], table[base + 161], table[base + 75], table[base + 76], table[base + 164], table[base + 165], table[base + 166], table[base + 43], table[base + 21]);
storageBarrier();
k9(table[base + 167], table[base + 21]);
storageBarrier();
k32(table[base + 167], table[base + 168]);
storageBarrier();
k33(table[base + 76], table[base + 166], table[base + 165], table[base + 168], table[base + 164], table[base + 74], table[base + 169], table[base + 43], table[base + 21]);
storageBarrier();
k7(table[base + 170], table[base + 169], table[base + 20], table[base + 43], table[base + 18], table[base + 21]);
storageBarrier();
k8(table[base + 171], table[base + 69], table[base + 169], table[base + 18], table[base + 21], table[base + 43]);
storageBarrier();
k30(table[base + 169], table[base + 172], 1, table[base + 43], table[base + 21]);
storageBarrier();
k29(table[base + 69], table[base + 170], table[base + 67], table[base + 70], table[base + 173], table[base + 174], table[base + 175], table[base + 176], table[base + 43], table[base + 18]);
storageBarrier();
k30(table[base + 173], table[base + 177], 1, table[base + 43], table[base + 18]);
storageBarrier();
k31(table[base + 173], table[base + 70], table[base + 178], 1, table[base + 43], table[base + 18]);
storageBarrier();
k9(table[base + 179], table[base + 18]);
storageBarrier();
k32(table[base + 179], table[base + 180]);
storageBarrier();
k33(table[base + 70], table[base + 176], table[base + 175], table[base + 180], table[base + 174], table[base + 66], table[base + 181], table[base + 43], table[base + 18]);
storageBarrier();
k8(table[base + 182], table[base + 53], table[base + 181], 4, table[base + 18], table[base + 43]);
storageBarrier();
k30(table[base + 181], table[base + 183], 1, table[base + 43], table[base + 18]);
storageBarrier();
k1(table[base + 184], table[base + 1], table[base + 182], 1, table[base + 185]);
storageBarrier();
k1(table[base + 186], table[base + 1], table[base + 183], 1, table[base + 18]);
storageBarrier();
k1(table[base + 187], table[base + 1], table[base + 178], 1, table[base + 18]);
storageBarrier();
k1(table[base + 188], table[base + 1], table[base + 177], 1, table[base + 18]);
storageBarrier();
k1(table[base + 189], table[base + 1], table[base + 171], 1, table[base + 190]);
storageBarrier();
k1(table[base + 191], table[base + 1], table[base + 172], 1, table[base + 21]);
storageBarrier();
k1(table[base + 192], table[base + 1], table[base + 162], 1, table[base + 193]);
storageBarrier();
k1(table[base + 194], table[base + 1], table[base + 163], 1, table[base + 24]);
storageBarrier();
k1(table[base + 195], table[base + 1], table[base + 157], 1, table[base + 24]);
storageBarrier();
k1(table[base + 196], table[base + 1], table[base + 156], 1, table[base + 24]);
storageBarrier();
k1(table[base + 197], table[base + 1], table[base + 150], 1, table[base + 198]);
storageBarrier();
k1(table[base + 199], table[base + 1], table[base + 151], 1, 2);
storageBarrier();
k1(table[base + 200], table[base + 1], table[base + 145], 1, table[base + 201]);
storageBarrier();
k1(table[base + 202], table[base + 1], table[base + 146], 1, table[base + 29]);
storageBarrier();
k1(table[base + 203], table[base + 1], table[base + 140], 1, table[base + 29]);
storageBarrier();
k1(table[base + 204], table[base + 1], table[base + 139], 1, table[base + 29]);
storageBarrier();
k1(table[base + 205], table[base + 1], table[base + 133], 1, table[base + 29]);
storageBarrier();
k1(table[base + 206], table[base + 1], table[base + 134], 1, 1);
storageBarrier();
k1(table[base + 207], table[base + 1], table[base + 122], 1, 1);
storageBarrier();
k1(table[base + 208], table[base + 1], table[base + 123], 1, 1);
storageBarrier();
k1(table[base + 209], table[base + 1], table[base + 124], 1, 1);
storageBarrier();
k1(table[base + 210], table[base + 1], table[base + 125], 1, 1);
storageBarrier();
k1(table[base + 211], table[base + 1], table[base + 126], 1, 1);
storageBarrier();
k1(table[base + 4], table[base + 1], table[base + 50], 1, 1);
storageBarrier();
}
}
}
}
if (limit > 0) { suspend(record, 0, 0, 0, 0, 0, 0); }
}
