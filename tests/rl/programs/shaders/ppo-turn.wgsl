// PPO.iteration
// stridedCopy
fn k0(to: i32, source: i32, rows: i32, width: i32, toWidth: i32, fromWidth: i32, toStart: i32, fromStart: i32) {
for (var i = lid; i < rows * width; i += WG) {
  heap[to + (i / width) * toWidth + toStart + i % width] = heap[source + (i / width) * fromWidth + fromStart + i % width];
}
}

// matmul staged true
fn k1(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32, bias: i32, staged: i32) {
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
fn k2(out: i32, x: i32, rows: i32, width: i32) {
for (var r = lid; r < rows; r += WG) {
  var sum = 0.0;
  for (var j = 0; j < width; j++) { sum += loadF(x + r * width + j); }
  storeF(out + r, sum / f32(width));
}
}

// rowScale
fn k3(out: i32, x: i32, rows: i32, width: i32, means: i32) {
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

// iota
fn k4(out: i32, n: i32) {
for (var i = lid; i < n; i += WG) {
  storeI(out + i, i);
}
}

// matmul false false true
fn k5(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32, bias: i32) {
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
  for (var k = 0; k < depth; k++) {
    let across = vec4<f32>(loadF(b + k * n + c0), loadF(b + k * n + c1), loadF(b + k * n + c2), loadF(b + k * n + c3));
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

// dimValue i32
fn k6(out: i32, value: i32) {
if (lid == 0) { storeI(out, value); }
}

// takeRows
fn k7(out: i32, x: i32, index: i32, rows: i32, length: i32) {
for (var i = lid; i < rows * length; i += WG) {
  heap[out + i] = heap[x + loadI(index + i / length) * length + i % length];
}
}

// dimValue f32
fn k8(out: i32, value: i32) {
if (lid == 0) { storeF(out, f32(value)); }
}

// permutation
fn k9(out: i32, n: i32, key: i32) {
let secret = heap[key];
let count = u32(n);
var h = 1u;
while ((1u << (2u * h)) < count) { h++; }
let mask = (1u << h) - 1u;
for (var i = lid; i < n; i += WG) {
  var value = u32(i);
  loop {
    var left = value >> h;
    var right = value & mask;
    {
      var v = right ^ 2654435769u ^ secret;
      v = (v ^ (v >> 16u)) * 0x21f0aaadu;
      v = (v ^ (v >> 15u)) * 0x735a2d97u;
      v = (left ^ v ^ (v >> 15u)) & mask;
      left = right;
      right = v;
    }
    {
      var v = right ^ 2246822507u ^ secret;
      v = (v ^ (v >> 16u)) * 0x21f0aaadu;
      v = (v ^ (v >> 15u)) * 0x735a2d97u;
      v = (left ^ v ^ (v >> 15u)) & mask;
      left = right;
      right = v;
    }
    {
      var v = right ^ 3266489909u ^ secret;
      v = (v ^ (v >> 16u)) * 0x21f0aaadu;
      v = (v ^ (v >> 15u)) * 0x735a2d97u;
      v = (left ^ v ^ (v >> 15u)) & mask;
      left = right;
      right = v;
    }
    {
      var v = right ^ 668265263u ^ secret;
      v = (v ^ (v >> 16u)) * 0x21f0aaadu;
      v = (v ^ (v >> 15u)) * 0x735a2d97u;
      v = (left ^ v ^ (v >> 15u)) & mask;
      left = right;
      right = v;
    }
    value = (left << h) | right;
    if (value < count) { break; }
  }
  storeI(out + i, i32(value));
}
}

// matmul false true false
fn k10(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32) {
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
fn k11(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32) {
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

// stage
fn k12(to: i32, source: i32, rows: i32, columns: i32) {
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
fn k13(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, s0: i32, d0: i32, d1: i32) {
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
fn k14(p0: i32, p1: i32, p2: i32, s0: i32, d0: i32, d1: i32) {
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

// constant
fn k15(p0: i32, r0: i32, d0: i32, d1: i32) {
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
fn k16(p0: i32, p1: i32, s0: i32, r0: i32, d0: i32, d1: i32) {
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
total0 = total0 + v3;
}
storeF(r0 + row, total0);
}
}

// log
fn k17(p0: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let v1 = logOf(o0);
storeF(s0 + e, v1);
}
}

// sub exp
fn k18(p0: i32, p1: i32, s0: i32, s1: i32, d0: i32, d1: i32) {
for (var e = lid; e < d0 * d1; e += WG) {
let c1 = (e) % d1;
let c0 = (e) / d1;
let o0 = loadF(p0 + c1 + c0 * d1);
let o1 = loadF(p1 + c0);
let v2 = (o0 - o1);
let v3 = expOf(v2);
storeF(s0 + e, v3);
storeF(s1 + e, v2);
}
}

// bitXor mul add mul add mul add bitXor mul add mul add mul add
fn k19(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadU(p0);
let o1 = loadU(p1);
let o2 = loadU(p2);
let o3 = loadU(p3);
let o4 = loadU(p4);
let o5 = loadU(p5);
var v6 = 2654435769u;
let v7 = (o0 ^ v6);
var v8 = 1664525u;
let v9 = (v7 * v8);
var v10 = 1013904223u;
let v11 = (v9 + v10);
var v12 = 1664525u;
let v13 = (o1 * v12);
var v14 = 1013904223u;
let v15 = (v13 + v14);
var v16 = 1664525u;
let v17 = (o2 * v16);
var v18 = 1013904223u;
let v19 = (v17 + v18);
var v20 = 1013904242u;
let v21 = (o3 ^ v20);
var v22 = 1664525u;
let v23 = (v21 * v22);
var v24 = 1013904223u;
let v25 = (v23 + v24);
var v26 = 1664525u;
let v27 = (o4 * v26);
var v28 = 1013904223u;
let v29 = (v27 + v28);
var v30 = 1664525u;
let v31 = (o5 * v30);
var v32 = 1013904223u;
let v33 = (v31 + v32);
storeU(s0 + e, v15);
storeU(s1 + e, v11);
storeU(s2 + e, v19);
storeU(s3 + e, v29);
storeU(s4 + e, v25);
storeU(s5 + e, v33);
}
}

// mul add mul add mul add mul add mul add shiftRight bitXor shiftRight bitXor shiftRight bitXor mul add shiftRight
fn k20(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, d0: i32) {
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
let v20 = (v15 >> 16u);
let v21 = (v15 ^ v20);
let v22 = (v19 * v21);
let v23 = (v17 + v22);
let v24 = (v23 >> 8u);
storeU(s0 + e, v24);
}
}

// cast mul
fn k21(p0: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadI(p0 + c0);
let v1 = f32(o0);
var v2 = bitcast<f32>(0x33800000u);
let v3 = (v1 * v2);
storeF(s0 + e, v3);
}
}

// lessEqual
fn k22(p0: i32, p1: i32, s0: i32, d0: i32, d1: i32) {
for (var e = lid; e < d0 * d1; e += WG) {
let c1 = (e) % d1;
let c0 = (e) / d1;
let o0 = loadI(p0 + c1);
let o1 = loadI(p1 + c0);
let v2 = (o0 <= o1);
storeB(s0 + e, v2);
}
}

// select
fn k23(p0: i32, p1: i32, r0: i32, d0: i32, d1: i32, d2: i32) {
for (var row = lid; row < d0 * d1; row += WG) {
let c1 = (row) % d1;
let c0 = (row) / d1;
var total0 = 0.0;
for (var c2 = 0; c2 < d2; c2++) {
let e = row * d2 + c2;
let o0 = loadB(p0 + c2 + c1 * d2);
let o1 = loadF(p1 + c2 + c0 * d2);
var v2 = bitcast<f32>(0x0u);
let v3 = select(v2, o1, o0);
total0 = total0 + v3;
}
storeF(r0 + row, total0);
}
}

// mul
fn k24(p0: i32, p1: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
let v2 = (o0 * o1);
storeF(s0 + e, v2);
}
}

// lessEqual cast
fn k25(p0: i32, p1: i32, r0: i32, d0: i32, d1: i32) {
for (var row = lid; row < d0; row += WG) {
let c0 = row;
var total0 = 0.0;
for (var c1 = 0; c1 < d1; c1++) {
let e = row * d1 + c1;
let o0 = loadF(p0 + c1 + c0 * d1);
let o1 = loadF(p1 + c0);
let v2 = (o0 <= o1);
let v3 = select(f32(0), f32(1), v2);
total0 = total0 + v3;
}
storeF(r0 + row, total0);
}
}

// cast equal select
fn k26(p0: i32, s0: i32, s1: i32, s2: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let v1 = truncated(o0);
var v2 = i32(1);
let v3 = (v1 == v2);
var v4 = bitcast<f32>(0x41200000u);
var v5 = bitcast<f32>(0xc1200000u);
let v6 = select(v5, v4, v3);
storeI(s0 + e, v1);
storeF(s1 + e, v6);
storeI(s2 + e, v1);
}
}

// equal select
fn k27(p0: i32, p1: i32, p2: i32, r0: i32, d0: i32, d1: i32) {
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
total0 = total0 + v5;
}
storeF(r0 + row, total0);
}
}

// mul add mul add mul add mul add mul add shiftRight bitXor shiftRight bitXor shiftRight bitXor shiftRight bitXor mul add mul add mul add mul add shiftRight shiftRight shiftRight shiftRight
fn k28(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, s1: i32, s2: i32, s3: i32, d0: i32) {
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

// cast mul cast mul cast mul cast mul sin cos mul mul mul add div mul mul sub mul mul sub mul div mul mul sub mul add mul add mul add mul add abs greater abs greater or add greaterEqual or mul add mul add mul add mul add select select select
fn k29(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, p9: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32, s6: i32, s7: i32, s8: i32, s9: i32, s10: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadI(p0 + c0);
let o1 = loadI(p1 + c0);
let o2 = loadI(p2 + c0);
let o3 = loadI(p3 + c0);
let o4 = loadF(p4 + c0);
let o5 = loadF(p5 + c0);
let o6 = loadF(p6 + c0);
let o7 = loadF(p7 + c0);
let o8 = loadF(p8 + c0);
let o9 = loadI(p9 + c0);
let v10 = f32(o0);
var v11 = bitcast<f32>(0x33800000u);
let v12 = (v10 * v11);
let v13 = f32(o1);
var v14 = bitcast<f32>(0x33800000u);
let v15 = (v13 * v14);
let v16 = f32(o2);
var v17 = bitcast<f32>(0x33800000u);
let v18 = (v16 * v17);
let v19 = f32(o3);
var v20 = bitcast<f32>(0x33800000u);
let v21 = (v19 * v20);
let v22 = sinOf(o4);
let v23 = cosOf(o4);
let v24 = (o5 * o5);
let v25 = (v24 * v22);
var v26 = bitcast<f32>(0x3d4ccccdu);
let v27 = (v25 * v26);
let v28 = (o6 + v27);
var v29 = bitcast<f32>(0x3f8ccccdu);
let v30 = (v28 / v29);
var v31 = bitcast<f32>(0x411ccccdu);
let v32 = (v22 * v31);
let v33 = (v23 * v30);
let v34 = (v32 - v33);
let v35 = (v23 * v23);
var v36 = bitcast<f32>(0x3dba2e8cu);
let v37 = (v35 * v36);
var v38 = bitcast<f32>(0x3faaaaabu);
let v39 = (v38 - v37);
var v40 = bitcast<f32>(0x3f000000u);
let v41 = (v39 * v40);
let v42 = (v34 / v41);
let v43 = (v42 * v23);
var v44 = bitcast<f32>(0x3d3a2e8cu);
let v45 = (v43 * v44);
let v46 = (v30 - v45);
var v47 = bitcast<f32>(0x3ca3d70au);
let v48 = (o7 * v47);
let v49 = (o8 + v48);
var v50 = bitcast<f32>(0x3ca3d70au);
let v51 = (v46 * v50);
let v52 = (o7 + v51);
var v53 = bitcast<f32>(0x3ca3d70au);
let v54 = (o5 * v53);
let v55 = (o4 + v54);
var v56 = bitcast<f32>(0x3ca3d70au);
let v57 = (v42 * v56);
let v58 = (o5 + v57);
let v59 = abs(v49);
var v60 = bitcast<f32>(0x4019999au);
let v61 = (v59 > v60);
let v62 = abs(v55);
var v63 = bitcast<f32>(0x3e567750u);
let v64 = (v62 > v63);
let v65 = (v61 || v64);
var v66 = i32(1);
let v67 = (o9 + v66);
var v68 = i32(500);
let v69 = (v67 >= v68);
let v70 = (v65 || v69);
var v71 = bitcast<f32>(0x3dcccccdu);
let v72 = (v12 * v71);
var v73 = bitcast<f32>(0xbd4ccccdu);
let v74 = (v72 + v73);
var v75 = bitcast<f32>(0x3dcccccdu);
let v76 = (v15 * v75);
var v77 = bitcast<f32>(0xbd4ccccdu);
let v78 = (v76 + v77);
var v79 = bitcast<f32>(0x3dcccccdu);
let v80 = (v18 * v79);
var v81 = bitcast<f32>(0xbd4ccccdu);
let v82 = (v80 + v81);
var v83 = bitcast<f32>(0x3dcccccdu);
let v84 = (v21 * v83);
var v85 = bitcast<f32>(0xbd4ccccdu);
let v86 = (v84 + v85);
let v87 = select(v49, v74, v70);
let v88 = select(v52, v78, v70);
let v89 = select(v55, v82, v70);
storeB(s0 + e, v70);
storeF(s1 + e, v86);
storeF(s2 + e, v58);
storeI(s3 + e, v67);
storeF(s4 + e, v49);
storeF(s5 + e, v52);
storeF(s6 + e, v55);
storeF(s7 + e, v87);
storeF(s8 + e, v88);
storeF(s9 + e, v89);
storeB(s10 + e, v65);
}
}

// select select add cast mul select cast cast
fn k30(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, r0: i32, r1: i32, d0: i32) {
var total0 = 0.0;
var total1 = 0.0;
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadB(p0 + c0);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2 + c0);
let o3 = loadI(p3 + c0);
let o4 = loadF(p4 + c0);
let o5 = loadB(p5 + c0);
let v6 = select(o2, o1, o0);
var v7 = i32(0);
let v8 = select(o3, v7, o0);
var v9 = bitcast<f32>(0x3f800000u);
let v10 = (o4 + v9);
let v11 = select(f32(0), f32(1), o0);
let v12 = (v10 * v11);
var v13 = bitcast<f32>(0x0u);
let v14 = select(v10, v13, o0);
let v15 = select(f32(0), f32(1), o0);
let v16 = select(f32(0), f32(1), o5);
storeF(s0 + e, v14);
storeF(s1 + e, v6);
storeI(s2 + e, v8);
storeF(s3 + e, v16);
storeF(s4 + e, v15);
total0 = total0 + v12;
total1 = total1 + v11;
}
let all0 = sumOver(total0);
if (lid == 0) { storeF(r0, all0); }
workgroupBarrier();
let all1 = sumOver(total1);
if (lid == 0) { storeF(r1, all1); }
workgroupBarrier();
}

// add add add
fn k31(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, s0: i32, s1: i32, s2: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
let o1 = loadF(p1);
let o2 = loadF(p2);
let o3 = loadF(p3);
let o4 = loadI(p4);
let v5 = (o0 + o1);
let v6 = (o2 + o3);
var v7 = i32(1);
let v8 = (o4 + v7);
storeF(s0 + e, v5);
storeF(s1 + e, v6);
storeI(s2 + e, v8);
}
}

// copy
fn k32(to: i32, source: i32, words: i32) {
for (var i = lid; i < words; i += WG) {
  heap[to + i] = heap[source + i];
}
}

// constant
fn k33(s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
var v0 = bitcast<f32>(0x3f800000u);
storeF(s0 + e, v0);
}
}

// sub
fn k34(p0: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadI(p0);
var v1 = i32(1);
let v2 = (o0 - v1);
storeI(s0 + e, v2);
}
}

// add minimum
fn k35(p0: i32, p1: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadI(p0 + c0);
let o1 = loadI(p1);
var v2 = i32(1);
let v3 = (o0 + v2);
let v4 = select(v3, o1, o1 < v3);
storeI(s0 + e, v4);
}
}

// sub mul sub
fn k36(p0: i32, p1: i32, s0: i32, s1: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
var v2 = bitcast<f32>(0x3f800000u);
let v3 = (v2 - o0);
let v4 = (o1 * v3);
var v5 = bitcast<f32>(0x3f800000u);
let v6 = (v5 - o0);
storeF(s0 + e, v4);
storeF(s1 + e, v6);
}
}

// constant
fn k37(p0: i32, r0: i32, d0: i32) {
var total0 = (-infinity());
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);

total0 = select(total0, o0, total0 < o0);
}
let all0 = maxOver(total0);
if (lid == 0) { storeF(r0, all0); }
workgroupBarrier();
}

// greater equal or cast
fn k38(p0: i32, p1: i32, p2: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
let o1 = loadI(p1);
let o2 = loadI(p2);
var v3 = bitcast<f32>(0x0u);
let v4 = (o0 > v3);
let v5 = (o1 == o2);
let v6 = (v4 || v5);
let v7 = select(i32(0), i32(1), v6);
storeI(s0 + e, v7);
}
}

// mul mul add sub sub mul mul
fn k39(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, s0: i32, s1: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2);
let o3 = loadF(p3 + c0);
let o4 = loadF(p4 + c0);
let o5 = loadF(p5 + c0);
let o6 = loadF(p6);
let v7 = (o0 * o1);
let v8 = (v7 * o2);
let v9 = (o3 + v8);
let v10 = (v9 - o4);
var v11 = bitcast<f32>(0x3f800000u);
let v12 = (v11 - o5);
let v13 = (v12 * o6);
let v14 = (v13 * o2);
storeF(s0 + e, v10);
storeF(s1 + e, v14);
}
}

// constant
fn k40(s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
var v0 = bitcast<f32>(0x0u);
storeF(s0 + e, v0);
}
}

// mul add
fn k41(p0: i32, p1: i32, p2: i32, s0: i32, s1: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2 + c0);
let v3 = (o0 * o1);
let v4 = (o2 + v3);
storeF(s0 + e, v4);
storeF(s1 + e, v4);
}
}

// add
fn k42(p0: i32, p1: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
let v2 = (o0 + o1);
storeF(s0 + e, v2);
}
}

// constant
fn k43(p0: i32, r0: i32, d0: i32) {
var total0 = 0.0;
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);

total0 = total0 + o0;
}
let all0 = sumOver(total0);
if (lid == 0) { storeF(r0, all0); }
workgroupBarrier();
}

// div
fn k44(p0: i32, p1: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
let o1 = loadF(p1);
let v2 = (o0 / o1);
storeF(s0 + e, v2);
}
}

// sub mul
fn k45(p0: i32, p1: i32, s0: i32, r0: i32, d0: i32) {
var total0 = 0.0;
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1);
let v2 = (o0 - o1);
let v3 = (v2 * v2);
storeF(s0 + e, v2);
total0 = total0 + v3;
}
let all0 = sumOver(total0);
if (lid == 0) { storeF(r0, all0); }
workgroupBarrier();
}

// sub div sqrt add
fn k46(p0: i32, p1: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
let o1 = loadF(p1);
var v2 = bitcast<f32>(0x3f800000u);
let v3 = (o0 - v2);
let v4 = (o1 / v3);
let v5 = sqrt(v4);
var v6 = bitcast<f32>(0x322bcc77u);
let v7 = (v5 + v6);
storeF(s0 + e, v7);
}
}

// div
fn k47(p0: i32, p1: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1);
let v2 = (o0 / o1);
storeF(s0 + e, v2);
}
}

// bitXor mul add mul add mul add add
fn k48(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, s1: i32, s2: i32, s3: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadU(p0);
let o1 = loadU(p1);
let o2 = loadU(p2);
let o3 = loadI(p3);
var v4 = 387276957u;
let v5 = (o0 ^ v4);
var v6 = 1664525u;
let v7 = (v5 * v6);
var v8 = 1013904223u;
let v9 = (v7 + v8);
var v10 = 1664525u;
let v11 = (o1 * v10);
var v12 = 1013904223u;
let v13 = (v11 + v12);
var v14 = 1664525u;
let v15 = (o2 * v14);
var v16 = 1013904223u;
let v17 = (v15 + v16);
var v18 = i32(1);
let v19 = (o3 + v18);
storeU(s0 + e, v13);
storeU(s1 + e, v9);
storeU(s2 + e, v17);
storeI(s3 + e, v19);
}
}

// mul add mul add mul add mul add mul add shiftRight bitXor shiftRight bitXor shiftRight bitXor mul add
fn k49(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadU(p0);
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
let v20 = (v15 >> 16u);
let v21 = (v15 ^ v20);
let v22 = (v19 * v21);
let v23 = (v17 + v22);
storeU(s0 + e, v23);
}
}

// constant
fn k50(s0: i32) {
for (var e = lid; e < 1; e += WG) {

var v0 = bitcast<f32>(0x0u);
storeF(s0 + e, v0);
}
}

// mul sub sub add
fn k51(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, s1: i32, s2: i32, s3: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadI(p0);
let o1 = loadI(p1);
let o2 = loadI(p2);
let o3 = loadF(p3);
let v4 = (o0 * o1);
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
fn k52(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, s1: i32, r0: i32, r1: i32, r2: i32, r3: i32, d0: i32) {
var total0 = 0.0;
var total1 = 0.0;
var total2 = 0.0;
var total3 = 0.0;
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

// sub standardize mul add relu
fn k53(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, s0: i32, s1: i32, d0: i32, d1: i32) {
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
fn k54(p0: i32, p1: i32, p2: i32, s0: i32, s1: i32, d0: i32, d1: i32) {
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

// sub exp
fn k55(p0: i32, p1: i32, s0: i32, s1: i32, r0: i32, d0: i32, d1: i32) {
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

// sub exp mul
fn k56(p0: i32, p1: i32, s0: i32, s1: i32, r0: i32, d0: i32, d1: i32) {
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
fn k57(p0: i32, p1: i32, p2: i32, s0: i32, r0: i32, d0: i32, d1: i32) {
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
fn k58(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, r0: i32, r1: i32, r2: i32, r3: i32, d0: i32) {
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

// div neg div mul div mul add mul sub div neg neg mul mul div mul div neg div add add add add add
fn k59(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, p9: i32, p10: i32, p11: i32, p12: i32, p13: i32, p14: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32, s6: i32, s7: i32) {
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
let o10 = loadF(p10);
let o11 = loadF(p11);
let o12 = loadF(p12);
let o13 = loadF(p13);
let o14 = loadF(p14);
let v15 = (o0 / o1);
let v16 = (-v15);
let v17 = (o2 / o3);
var v18 = bitcast<f32>(0x3f000000u);
let v19 = (v17 * v18);
let v20 = (o4 / o5);
let v21 = (o6 * v19);
let v22 = (v16 + v21);
let v23 = (o7 * v20);
let v24 = (v22 - v23);
let v25 = (o8 / o9);
let v26 = (-v20);
var v27 = bitcast<f32>(0x3f800000u);
let v28 = (-v27);
let v29 = (v28 * o7);
let v30 = (v27 * o6);
let v31 = (v29 / o5);
let v32 = (v30 * v18);
let v33 = (v32 / o3);
let v34 = (-v27);
let v35 = (v34 / o1);
let v36 = (o10 + v24);
let v37 = (o11 + v16);
let v38 = (o12 + v19);
let v39 = (o13 + v26);
let v40 = (o14 + v25);
storeF(s0 + e, v31);
storeF(s1 + e, v33);
storeF(s2 + e, v35);
storeF(s3 + e, v36);
storeF(s4 + e, v37);
storeF(s5 + e, v38);
storeF(s6 + e, v39);
storeF(s7 + e, v40);
}
}

// broadcast mul neg broadcast mul mul mul add broadcast mul select select mul mul select select add mul
fn k60(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, p9: i32, s0: i32, s1: i32, s2: i32, d0: i32) {
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
fn k61(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, s0: i32, r0: i32, d0: i32, d1: i32) {
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
fn k62(p0: i32, to: i32, outer: i32, axis: i32, inner: i32) {
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
fn k63(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, s1: i32, r0: i32, r1: i32, d0: i32, d1: i32) {
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
fn k64(p0: i32, to: i32, outer: i32, axis: i32, inner: i32) {
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
fn k65(p0: i32, p1: i32, to: i32, outer: i32, axis: i32, inner: i32) {
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
fn k66(p0: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
var v1 = bitcast<f32>(0x3f800000u);
let v2 = (v1 / o0);
storeF(s0 + e, v2);
}
}

// mul add mul sub mul
fn k67(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, s0: i32, d0: i32, d1: i32) {
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
fn k68(p0: i32, p1: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
let v2 = (o0 / o1);
storeF(s0 + e, v2);
}
}

// broadcast mul add
fn k69(p0: i32, p1: i32, p2: i32, s0: i32, d0: i32, d1: i32) {
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
fn k70(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, r0: i32, r1: i32, d0: i32, d1: i32) {
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

// mul
fn k71(p0: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let v1 = (o0 * o0);
storeF(s0 + e, v1);
}
}

// mul mul mul
fn k72(p0: i32, p1: i32, p2: i32, r0: i32, r1: i32, r2: i32, d0: i32) {
var total0 = 0.0;
var total1 = 0.0;
var total2 = 0.0;
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2 + c0);
let v3 = (o0 * o0);
let v4 = (o1 * o1);
let v5 = (o2 * o2);
total0 = total0 + v3;
total1 = total1 + v4;
total2 = total2 + v5;
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
}

// mul
fn k73(p0: i32, r0: i32, d0: i32) {
var total0 = 0.0;
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let v1 = (o0 * o0);
total0 = total0 + v1;
}
let all0 = sumOver(total0);
if (lid == 0) { storeF(r0, all0); }
workgroupBarrier();
}

// add add add add add add add add add add add sqrt add div minimum
fn k74(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, p9: i32, p10: i32, p11: i32, p12: i32, s0: i32) {
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
let o10 = loadF(p10);
let o11 = loadF(p11);
let o12 = loadF(p12);
let v13 = (o0 + o1);
let v14 = (v13 + o2);
let v15 = (v14 + o3);
let v16 = (v15 + o4);
let v17 = (v16 + o5);
let v18 = (v17 + o6);
let v19 = (v18 + o7);
let v20 = (v19 + o8);
let v21 = (v20 + o9);
let v22 = (v21 + o10);
let v23 = (v22 + o11);
let v24 = sqrt(v23);
var v25 = bitcast<f32>(0x358637bdu);
let v26 = (v24 + v25);
let v27 = (o12 / v26);
var v28 = bitcast<f32>(0x3f800000u);
let v29 = select(v27, v28, v28 < v27);
storeF(s0 + e, v29);
}
}

// mul mul mul add mul mul mul add sqrt
fn k75(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, s1: i32, s2: i32, s3: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1);
let o2 = loadF(p2 + c0);
let o3 = loadF(p3 + c0);
let v4 = (o0 * o1);
var v5 = bitcast<f32>(0x3f666666u);
let v6 = (o2 * v5);
var v7 = bitcast<f32>(0x3dcccccdu);
let v8 = (v4 * v7);
let v9 = (v6 + v8);
var v10 = bitcast<f32>(0x3f7fbe77u);
let v11 = (o3 * v10);
let v12 = (v4 * v4);
var v13 = bitcast<f32>(0x3a83126fu);
let v14 = (v12 * v13);
let v15 = (v11 + v14);
let v16 = sqrt(v15);
storeF(s0 + e, v9);
storeF(s1 + e, v16);
storeF(s2 + e, v9);
storeF(s3 + e, v15);
}
}

// mul mul mul mul mul add mul mul mul add sqrt mul mul mul mul mul mul
fn k76(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32, s6: i32, s7: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1);
let o2 = loadF(p2 + c0);
let o3 = loadF(p3 + c0);
let o4 = loadF(p4 + c0);
let o5 = loadF(p5 + c0);
let v6 = (o0 * o1);
let v7 = (o2 * o1);
let v8 = (o3 * o1);
var v9 = bitcast<f32>(0x3f666666u);
let v10 = (o4 * v9);
var v11 = bitcast<f32>(0x3dcccccdu);
let v12 = (v6 * v11);
let v13 = (v10 + v12);
var v14 = bitcast<f32>(0x3f7fbe77u);
let v15 = (o5 * v14);
let v16 = (v6 * v6);
var v17 = bitcast<f32>(0x3a83126fu);
let v18 = (v16 * v17);
let v19 = (v15 + v18);
let v20 = sqrt(v19);
var v21 = bitcast<f32>(0x3dcccccdu);
let v22 = (v7 * v21);
let v23 = (v7 * v7);
var v24 = bitcast<f32>(0x3a83126fu);
let v25 = (v23 * v24);
var v26 = bitcast<f32>(0x3dcccccdu);
let v27 = (v8 * v26);
let v28 = (v8 * v8);
var v29 = bitcast<f32>(0x3a83126fu);
let v30 = (v28 * v29);
storeF(s0 + e, v13);
storeF(s1 + e, v20);
storeF(s2 + e, v13);
storeF(s3 + e, v19);
storeF(s4 + e, v22);
storeF(s5 + e, v25);
storeF(s6 + e, v27);
storeF(s7 + e, v30);
}
}

// add add add add add sqrt add div minimum mul mul sub div sub sqrt div add
fn k77(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, p9: i32, p10: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32) {
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
let o10 = loadI(p10);
let v11 = (o0 + o1);
let v12 = (v11 + o2);
let v13 = (v12 + o3);
let v14 = (v13 + o4);
let v15 = (v14 + o5);
let v16 = sqrt(v15);
var v17 = bitcast<f32>(0x358637bdu);
let v18 = (v16 + v17);
let v19 = (o6 / v18);
var v20 = bitcast<f32>(0x3f800000u);
let v21 = select(v19, v20, v20 < v19);
var v22 = bitcast<f32>(0x3f666666u);
let v23 = (o7 * v22);
var v24 = bitcast<f32>(0x3f7fbe77u);
let v25 = (o8 * v24);
var v26 = bitcast<f32>(0x3f800000u);
let v27 = (v26 - v23);
let v28 = (o9 / v27);
var v29 = bitcast<f32>(0x3f800000u);
let v30 = (v29 - v25);
let v31 = sqrt(v30);
var v32 = bitcast<f32>(0x3f800000u);
let v33 = (v32 / v31);
var v34 = i32(1);
let v35 = (o10 + v34);
storeF(s0 + e, v21);
storeF(s1 + e, v23);
storeF(s2 + e, v25);
storeF(s3 + e, v28);
storeF(s4 + e, v33);
storeI(s5 + e, v35);
}
}

// mul mul mul add mul mul mul add mul sqrt mul add div sub
fn k78(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, s0: i32, s1: i32, s2: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1);
let o2 = loadF(p2 + c0);
let o3 = loadF(p3 + c0);
let o4 = loadF(p4);
let o5 = loadF(p5);
let o6 = loadF(p6 + c0);
let v7 = (o0 * o1);
var v8 = bitcast<f32>(0x3f666666u);
let v9 = (o2 * v8);
var v10 = bitcast<f32>(0x3dcccccdu);
let v11 = (v7 * v10);
let v12 = (v9 + v11);
var v13 = bitcast<f32>(0x3f7fbe77u);
let v14 = (o3 * v13);
let v15 = (v7 * v7);
var v16 = bitcast<f32>(0x3a83126fu);
let v17 = (v15 * v16);
let v18 = (v14 + v17);
let v19 = (v12 * o4);
let v20 = sqrt(v18);
let v21 = (v20 * o5);
var v22 = bitcast<f32>(0x322bcc77u);
let v23 = (v21 + v22);
let v24 = (v19 / v23);
let v25 = (o6 - v24);
storeF(s0 + e, v25);
storeF(s1 + e, v12);
storeF(s2 + e, v18);
}
}

// mul mul mul mul mul add mul mul mul add mul sqrt mul add div sub mul mul add mul mul mul add mul sqrt mul add div sub mul mul add mul mul mul add mul sqrt mul add div sub
fn k79(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, p9: i32, p10: i32, p11: i32, p12: i32, p13: i32, p14: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32, s6: i32, s7: i32, s8: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1);
let o2 = loadF(p2 + c0);
let o3 = loadF(p3 + c0);
let o4 = loadF(p4 + c0);
let o5 = loadF(p5 + c0);
let o6 = loadF(p6);
let o7 = loadF(p7);
let o8 = loadF(p8 + c0);
let o9 = loadF(p9 + c0);
let o10 = loadF(p10 + c0);
let o11 = loadF(p11 + c0);
let o12 = loadF(p12 + c0);
let o13 = loadF(p13 + c0);
let o14 = loadF(p14 + c0);
let v15 = (o0 * o1);
let v16 = (o2 * o1);
let v17 = (o3 * o1);
var v18 = bitcast<f32>(0x3f666666u);
let v19 = (o4 * v18);
var v20 = bitcast<f32>(0x3dcccccdu);
let v21 = (v15 * v20);
let v22 = (v19 + v21);
var v23 = bitcast<f32>(0x3f7fbe77u);
let v24 = (o5 * v23);
let v25 = (v15 * v15);
var v26 = bitcast<f32>(0x3a83126fu);
let v27 = (v25 * v26);
let v28 = (v24 + v27);
let v29 = (v22 * o6);
let v30 = sqrt(v28);
let v31 = (v30 * o7);
var v32 = bitcast<f32>(0x322bcc77u);
let v33 = (v31 + v32);
let v34 = (v29 / v33);
let v35 = (o8 - v34);
var v36 = bitcast<f32>(0x3f666666u);
let v37 = (o9 * v36);
var v38 = bitcast<f32>(0x3dcccccdu);
let v39 = (v16 * v38);
let v40 = (v37 + v39);
var v41 = bitcast<f32>(0x3f7fbe77u);
let v42 = (o10 * v41);
let v43 = (v16 * v16);
var v44 = bitcast<f32>(0x3a83126fu);
let v45 = (v43 * v44);
let v46 = (v42 + v45);
let v47 = (v40 * o6);
let v48 = sqrt(v46);
let v49 = (v48 * o7);
var v50 = bitcast<f32>(0x322bcc77u);
let v51 = (v49 + v50);
let v52 = (v47 / v51);
let v53 = (o11 - v52);
var v54 = bitcast<f32>(0x3f666666u);
let v55 = (o12 * v54);
var v56 = bitcast<f32>(0x3dcccccdu);
let v57 = (v17 * v56);
let v58 = (v55 + v57);
var v59 = bitcast<f32>(0x3f7fbe77u);
let v60 = (o13 * v59);
let v61 = (v17 * v17);
var v62 = bitcast<f32>(0x3a83126fu);
let v63 = (v61 * v62);
let v64 = (v60 + v63);
let v65 = (v58 * o6);
let v66 = sqrt(v64);
let v67 = (v66 * o7);
var v68 = bitcast<f32>(0x322bcc77u);
let v69 = (v67 + v68);
let v70 = (v65 / v69);
let v71 = (o14 - v70);
storeF(s0 + e, v35);
storeF(s1 + e, v22);
storeF(s2 + e, v28);
storeF(s3 + e, v53);
storeF(s4 + e, v40);
storeF(s5 + e, v46);
storeF(s6 + e, v71);
storeF(s7 + e, v58);
storeF(s8 + e, v64);
}
}

// mul mul mul add mul mul mul add mul sqrt mul add div sub
fn k80(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, s0: i32, s1: i32, s2: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
let o1 = loadF(p1);
let o2 = loadF(p2);
let o3 = loadF(p3);
let o4 = loadF(p4);
let o5 = loadF(p5);
let o6 = loadF(p6);
let v7 = (o0 * o1);
var v8 = bitcast<f32>(0x3f666666u);
let v9 = (o2 * v8);
var v10 = bitcast<f32>(0x3dcccccdu);
let v11 = (v7 * v10);
let v12 = (v9 + v11);
var v13 = bitcast<f32>(0x3f7fbe77u);
let v14 = (o3 * v13);
let v15 = (v7 * v7);
var v16 = bitcast<f32>(0x3a83126fu);
let v17 = (v15 * v16);
let v18 = (v14 + v17);
let v19 = (v12 * o4);
let v20 = sqrt(v18);
let v21 = (v20 * o5);
var v22 = bitcast<f32>(0x322bcc77u);
let v23 = (v21 + v22);
let v24 = (v19 / v23);
let v25 = (o6 - v24);
storeF(s0 + e, v25);
storeF(s1 + e, v12);
storeF(s2 + e, v18);
}
}

// mul mul add div sub
fn k81(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1);
let o2 = loadF(p2 + c0);
let o3 = loadF(p3);
let o4 = loadF(p4 + c0);
let v5 = (o0 * o1);
let v6 = (o2 * o3);
var v7 = bitcast<f32>(0x322bcc77u);
let v8 = (v6 + v7);
let v9 = (v5 / v8);
let v10 = (o4 - v9);
storeF(s0 + e, v10);
}
}

// mul mul add div sub mul add mul add mul sqrt mul add div sub mul add mul add mul sqrt mul add div sub
fn k82(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, p9: i32, p10: i32, p11: i32, p12: i32, p13: i32, p14: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32, s6: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1);
let o2 = loadF(p2 + c0);
let o3 = loadF(p3);
let o4 = loadF(p4 + c0);
let o5 = loadF(p5 + c0);
let o6 = loadF(p6 + c0);
let o7 = loadF(p7 + c0);
let o8 = loadF(p8 + c0);
let o9 = loadF(p9 + c0);
let o10 = loadF(p10 + c0);
let o11 = loadF(p11 + c0);
let o12 = loadF(p12 + c0);
let o13 = loadF(p13 + c0);
let o14 = loadF(p14 + c0);
let v15 = (o0 * o1);
let v16 = (o2 * o3);
var v17 = bitcast<f32>(0x322bcc77u);
let v18 = (v16 + v17);
let v19 = (v15 / v18);
let v20 = (o4 - v19);
var v21 = bitcast<f32>(0x3f666666u);
let v22 = (o5 * v21);
let v23 = (v22 + o6);
var v24 = bitcast<f32>(0x3f7fbe77u);
let v25 = (o7 * v24);
let v26 = (v25 + o8);
let v27 = (v23 * o1);
let v28 = sqrt(v26);
let v29 = (v28 * o3);
var v30 = bitcast<f32>(0x322bcc77u);
let v31 = (v29 + v30);
let v32 = (v27 / v31);
let v33 = (o9 - v32);
var v34 = bitcast<f32>(0x3f666666u);
let v35 = (o10 * v34);
let v36 = (v35 + o11);
var v37 = bitcast<f32>(0x3f7fbe77u);
let v38 = (o12 * v37);
let v39 = (v38 + o13);
let v40 = (v36 * o1);
let v41 = sqrt(v39);
let v42 = (v41 * o3);
var v43 = bitcast<f32>(0x322bcc77u);
let v44 = (v42 + v43);
let v45 = (v40 / v44);
let v46 = (o14 - v45);
storeF(s0 + e, v20);
storeF(s1 + e, v33);
storeF(s2 + e, v23);
storeF(s3 + e, v26);
storeF(s4 + e, v46);
storeF(s5 + e, v36);
storeF(s6 + e, v39);
}
}

// div greater
fn k83(p0: i32, p1: i32, p2: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
let o1 = loadF(p1);
let o2 = loadF(p2);
let v3 = (o0 / o1);
let v4 = (v3 > o2);
storeB(s0 + e, v4);
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
if (stage <= 2) {
var i0 = 0;
var count_i0 = 0;
if (stage >= 1) {
i0 = memberWord(record + 3);
count_i0 = memberWord(record + 4);
} else {
count_i0 = table[base + 0];
}
k12(table[base + 1], table[base + 2], 4, table[base + 3]);
k12(table[base + 4], table[base + 5], table[base + 3], table[base + 6]);
k12(table[base + 7], table[base + 8], table[base + 6], table[base + 9]);
k12(table[base + 10], table[base + 11], table[base + 9], 2);
workgroupBarrier();
for (; i0 < count_i0; i0++) {
if (stage <= 1) {
if (limit > 0 && spent >= limit) {
suspend(record, left, 1, i0, count_i0, 0, 0);
return;
}
stage = 0;
spent += table[base + 19];
}
if (stage <= 2) {
k0(table[base + 20], table[base + 21], table[base + 22], 1, 4, 1, 0, 0);
storageBarrier();
k0(table[base + 20], table[base + 23], table[base + 22], 1, 4, 1, 1, 0);
storageBarrier();
k0(table[base + 20], table[base + 24], table[base + 22], 1, 4, 1, 2, 0);
storageBarrier();
k0(table[base + 20], table[base + 25], table[base + 22], 1, 4, 1, 3, 0);
storageBarrier();
k1(table[base + 26], table[base + 20], table[base + 2], table[base + 22], table[base + 3], 4, table[base + 27], table[base + 1]);
storageBarrier();
k2(table[base + 28], table[base + 26], table[base + 22], table[base + 3]);
storageBarrier();
k3(table[base + 29], table[base + 26], table[base + 22], table[base + 3], table[base + 28]);
storageBarrier();
k13(table[base + 26], table[base + 28], table[base + 29], table[base + 30], table[base + 31], table[base + 32], table[base + 22], table[base + 3]);
storageBarrier();
k1(table[base + 33], table[base + 32], table[base + 5], table[base + 22], table[base + 6], table[base + 3], table[base + 34], table[base + 4]);
storageBarrier();
k2(table[base + 35], table[base + 33], table[base + 22], table[base + 6]);
storageBarrier();
k3(table[base + 36], table[base + 33], table[base + 22], table[base + 6], table[base + 35]);
storageBarrier();
k14(table[base + 33], table[base + 35], table[base + 36], table[base + 37], table[base + 22], table[base + 6]);
storageBarrier();
k1(table[base + 38], table[base + 37], table[base + 8], table[base + 22], table[base + 9], table[base + 6], table[base + 39], table[base + 7]);
storageBarrier();
k2(table[base + 40], table[base + 38], table[base + 22], table[base + 9]);
storageBarrier();
k3(table[base + 41], table[base + 38], table[base + 22], table[base + 9], table[base + 40]);
storageBarrier();
k13(table[base + 38], table[base + 40], table[base + 41], table[base + 42], table[base + 43], table[base + 44], table[base + 22], table[base + 9]);
storageBarrier();
k1(table[base + 45], table[base + 44], table[base + 11], table[base + 22], 2, table[base + 9], table[base + 46], table[base + 10]);
storageBarrier();
k15(table[base + 45], table[base + 47], table[base + 22], 2);
storageBarrier();
k16(table[base + 45], table[base + 47], table[base + 48], table[base + 49], table[base + 22], 2);
storageBarrier();
k17(table[base + 49], table[base + 50], table[base + 22]);
storageBarrier();
k18(table[base + 48], table[base + 50], table[base + 51], table[base + 52], table[base + 22], 2);
storageBarrier();
k4(table[base + 53], table[base + 22]);
storageBarrier();
k19(table[base + 54], table[base + 55], table[base + 56], table[base + 54], table[base + 55], table[base + 56], table[base + 57], table[base + 58], table[base + 59], table[base + 60], table[base + 61], table[base + 62]);
storageBarrier();
k20(table[base + 53], table[base + 57], table[base + 58], table[base + 59], table[base + 63], table[base + 22]);
storageBarrier();
k21(table[base + 63], table[base + 64], table[base + 22]);
storageBarrier();
k4(table[base + 65], 2);
storageBarrier();
k4(table[base + 66], 2);
storageBarrier();
k22(table[base + 65], table[base + 66], table[base + 67], 2, 2);
storageBarrier();
k23(table[base + 67], table[base + 51], table[base + 68], table[base + 22], 2, 2);
storageBarrier();
k15(table[base + 68], table[base + 69], table[base + 22], 2);
storageBarrier();
k24(table[base + 64], table[base + 69], table[base + 70], table[base + 22]);
storageBarrier();
k25(table[base + 68], table[base + 70], table[base + 71], table[base + 22], 2);
storageBarrier();
k26(table[base + 71], table[base + 72], table[base + 73], table[base + 14] + i0 * table[base + 22], table[base + 22]);
storageBarrier();
k4(table[base + 74], 2);
storageBarrier();
k27(table[base + 74], table[base + 72], table[base + 52], table[base + 75], table[base + 22], 2);
storageBarrier();
k4(table[base + 76], table[base + 22]);
storageBarrier();
k28(table[base + 76], table[base + 60], table[base + 61], table[base + 62], table[base + 77], table[base + 78], table[base + 79], table[base + 80], table[base + 22]);
storageBarrier();
k29(table[base + 77], table[base + 78], table[base + 79], table[base + 80], table[base + 24], table[base + 25], table[base + 73], table[base + 23], table[base + 21], table[base + 81], table[base + 82], table[base + 83], table[base + 84], table[base + 85], table[base + 86], table[base + 87], table[base + 88], table[base + 21], table[base + 23], table[base + 24], table[base + 89], table[base + 22]);
storageBarrier();
k30(table[base + 82], table[base + 83], table[base + 84], table[base + 85], table[base + 90], table[base + 89], table[base + 90], table[base + 25], table[base + 81], table[base + 17] + i0 * table[base + 22], table[base + 18] + i0 * table[base + 22], table[base + 91], table[base + 92], table[base + 22]);
storageBarrier();
k0(table[base + 93], table[base + 86], table[base + 22], 1, 4, 1, 0, 0);
storageBarrier();
k0(table[base + 93], table[base + 87], table[base + 22], 1, 4, 1, 1, 0);
storageBarrier();
k0(table[base + 93], table[base + 88], table[base + 22], 1, 4, 1, 2, 0);
storageBarrier();
k0(table[base + 93], table[base + 84], table[base + 22], 1, 4, 1, 3, 0);
storageBarrier();
k31(table[base + 94], table[base + 91], table[base + 95], table[base + 92], table[base + 56], table[base + 94], table[base + 95], table[base + 56]);
storageBarrier();
k32(table[base + 12] + i0 * table[base + 96], table[base + 20], table[base + 96]);
storageBarrier();
k32(table[base + 13] + i0 * table[base + 96], table[base + 93], table[base + 96]);
storageBarrier();
k32(table[base + 15] + i0 * table[base + 22], table[base + 75], table[base + 22]);
storageBarrier();
k33(table[base + 16] + i0 * table[base + 22], table[base + 22]);
storageBarrier();
}
}
}
if (stage <= 3) {
if (limit > 0 && spent >= limit) {
suspend(record, left, 3, 0, 0, 0, 0);
return;
}
stage = 0;
spent += table[base + 97];
k5(table[base + 98], table[base + 12], table[base + 2], table[base + 99], table[base + 3], 4, table[base + 27]);
storageBarrier();
k2(table[base + 100], table[base + 98], table[base + 99], table[base + 3]);
storageBarrier();
k3(table[base + 101], table[base + 98], table[base + 99], table[base + 3], table[base + 100]);
storageBarrier();
k13(table[base + 98], table[base + 100], table[base + 101], table[base + 30], table[base + 31], table[base + 102], table[base + 99], table[base + 3]);
storageBarrier();
k5(table[base + 103], table[base + 102], table[base + 5], table[base + 99], table[base + 6], table[base + 3], table[base + 34]);
storageBarrier();
k2(table[base + 104], table[base + 103], table[base + 99], table[base + 6]);
storageBarrier();
k3(table[base + 105], table[base + 103], table[base + 99], table[base + 6], table[base + 104]);
storageBarrier();
k14(table[base + 103], table[base + 104], table[base + 105], table[base + 106], table[base + 99], table[base + 6]);
storageBarrier();
k5(table[base + 107], table[base + 106], table[base + 108], table[base + 99], table[base + 109], table[base + 6], table[base + 110]);
storageBarrier();
k2(table[base + 111], table[base + 107], table[base + 99], table[base + 109]);
storageBarrier();
k3(table[base + 112], table[base + 107], table[base + 99], table[base + 109], table[base + 111]);
storageBarrier();
k13(table[base + 107], table[base + 111], table[base + 112], table[base + 113], table[base + 114], table[base + 115], table[base + 99], table[base + 109]);
storageBarrier();
k5(table[base + 116], table[base + 115], table[base + 117], table[base + 99], 1, table[base + 109], table[base + 118]);
storageBarrier();
k6(table[base + 119], table[base + 0]);
storageBarrier();
k34(table[base + 119], table[base + 120]);
storageBarrier();
k4(table[base + 121], table[base + 0]);
storageBarrier();
k35(table[base + 121], table[base + 120], table[base + 122], table[base + 0]);
storageBarrier();
k7(table[base + 123], table[base + 116], table[base + 122], table[base + 0], table[base + 22]);
storageBarrier();
k36(table[base + 17], table[base + 18], table[base + 124], table[base + 125], table[base + 99]);
storageBarrier();
}
if (stage <= 8) {
var i1 = 0;
var count_i1 = 0;
if (stage >= 4) {
i1 = memberWord(record + 3);
count_i1 = memberWord(record + 4);
} else {
count_i1 = table[base + 0];
}
k12(table[base + 126], table[base + 2], 4, table[base + 3]);
k12(table[base + 127], table[base + 5], table[base + 3], table[base + 6]);
k12(table[base + 128], table[base + 108], table[base + 6], table[base + 109]);
k12(table[base + 129], table[base + 117], table[base + 109], 1);
workgroupBarrier();
for (; i1 < count_i1; i1++) {
if (stage <= 4) {
if (limit > 0 && spent >= limit) {
suspend(record, left, 4, i1, count_i1, 0, 0);
return;
}
stage = 0;
spent += table[base + 131];
if (lid == 0) { storeI(table[base + 132], i1); }
storageBarrier();
}
if (stage <= 5) {
k37(table[base + 124] + i1 * table[base + 22], table[base + 133], table[base + 22]);
storageBarrier();
k38(table[base + 133], table[base + 132], table[base + 120], table[base + 134]);
storageBarrier();
k32(table[base + 135], table[base + 123] + i1 * table[base + 22], table[base + 22]);
storageBarrier();
}
if (stage <= 7) {
var i2 = 0;
var count_i2 = 0;
if (stage >= 6) {
i2 = memberWord(record + 5);
count_i2 = memberWord(record + 6);
} else {
count_i2 = uniformLoad(table[base + 134]);
}
for (; i2 < count_i2; i2++) {
if (stage <= 6) {
if (limit > 0 && spent >= limit) {
suspend(record, left, 6, i1, count_i1, i2, count_i2);
return;
}
stage = 0;
spent += table[base + 136];
}
if (stage <= 7) {
k1(table[base + 137], table[base + 13] + i1 * table[base + 96], table[base + 2], table[base + 22], table[base + 3], 4, table[base + 27], table[base + 126]);
storageBarrier();
k2(table[base + 138], table[base + 137], table[base + 22], table[base + 3]);
storageBarrier();
k3(table[base + 139], table[base + 137], table[base + 22], table[base + 3], table[base + 138]);
storageBarrier();
k13(table[base + 137], table[base + 138], table[base + 139], table[base + 30], table[base + 31], table[base + 140], table[base + 22], table[base + 3]);
storageBarrier();
k1(table[base + 141], table[base + 140], table[base + 5], table[base + 22], table[base + 6], table[base + 3], table[base + 34], table[base + 127]);
storageBarrier();
k2(table[base + 142], table[base + 141], table[base + 22], table[base + 6]);
storageBarrier();
k3(table[base + 143], table[base + 141], table[base + 22], table[base + 6], table[base + 142]);
storageBarrier();
k14(table[base + 141], table[base + 142], table[base + 143], table[base + 144], table[base + 22], table[base + 6]);
storageBarrier();
k1(table[base + 145], table[base + 144], table[base + 108], table[base + 22], table[base + 109], table[base + 6], table[base + 110], table[base + 128]);
storageBarrier();
k2(table[base + 146], table[base + 145], table[base + 22], table[base + 109]);
storageBarrier();
k3(table[base + 147], table[base + 145], table[base + 22], table[base + 109], table[base + 146]);
storageBarrier();
k13(table[base + 145], table[base + 146], table[base + 147], table[base + 113], table[base + 114], table[base + 148], table[base + 22], table[base + 109]);
storageBarrier();
k1(table[base + 149], table[base + 148], table[base + 117], table[base + 22], 1, table[base + 109], table[base + 118], table[base + 129]);
storageBarrier();
k32(table[base + 135], table[base + 149], table[base + 22]);
storageBarrier();
}
}
}
if (stage <= 8) {
k32(table[base + 130] + i1 * table[base + 22], table[base + 135], table[base + 22]);
storageBarrier();
}
}
}
if (stage <= 9) {
if (limit > 0 && spent >= limit) {
suspend(record, left, 9, 0, 0, 0, 0);
return;
}
stage = 0;
spent += table[base + 150];
k39(table[base + 125], table[base + 130], table[base + 151], table[base + 16], table[base + 116], table[base + 18], table[base + 152], table[base + 153], table[base + 154], table[base + 99]);
storageBarrier();
k40(table[base + 155], table[base + 22]);
storageBarrier();
}
if (stage <= 11) {
var i3 = 0;
var count_i3 = 0;
if (stage >= 10) {
i3 = memberWord(record + 3);
count_i3 = memberWord(record + 4);
} else {
count_i3 = table[base + 0];
i3 = count_i3 - 1;
}
for (; i3 >= 0; i3--) {
if (stage <= 10) {
if (limit > 0 && spent >= limit) {
suspend(record, left, 10, i3, count_i3, 0, 0);
return;
}
stage = 0;
spent += table[base + 157];
}
if (stage <= 11) {
k41(table[base + 154] + i3 * table[base + 22], table[base + 155], table[base + 153] + i3 * table[base + 22], table[base + 156] + i3 * table[base + 22], table[base + 155], table[base + 22]);
storageBarrier();
}
}
}
if (stage <= 12) {
if (limit > 0 && spent >= limit) {
suspend(record, left, 12, 0, 0, 0, 0);
return;
}
stage = 0;
spent += table[base + 158];
k42(table[base + 156], table[base + 116], table[base + 159], table[base + 99]);
storageBarrier();
k43(table[base + 156], table[base + 160], table[base + 99]);
storageBarrier();
k8(table[base + 161], table[base + 99]);
storageBarrier();
k44(table[base + 160], table[base + 161], table[base + 162]);
storageBarrier();
k45(table[base + 156], table[base + 162], table[base + 163], table[base + 164], table[base + 99]);
storageBarrier();
k8(table[base + 165], table[base + 99]);
storageBarrier();
k46(table[base + 165], table[base + 164], table[base + 166]);
storageBarrier();
k47(table[base + 163], table[base + 166], table[base + 167], table[base + 99]);
storageBarrier();
}
if (stage <= 17) {
var i4 = 0;
var count_i4 = 0;
if (stage >= 13) {
i4 = memberWord(record + 3);
count_i4 = memberWord(record + 4);
} else {
count_i4 = uniformLoad(table[base + 168]);
}
for (; i4 < count_i4; i4++) {
if (stage <= 13) {
if (limit > 0 && spent >= limit) {
suspend(record, left, 13, i4, count_i4, 0, 0);
return;
}
stage = 0;
spent += table[base + 169];
}
if (stage <= 14) {
k4(table[base + 170], 1);
storageBarrier();
k48(table[base + 54], table[base + 55], table[base + 171], table[base + 171], table[base + 172], table[base + 173], table[base + 174], table[base + 171]);
storageBarrier();
k49(table[base + 170], table[base + 172], table[base + 173], table[base + 174], table[base + 175]);
storageBarrier();
k9(table[base + 176], table[base + 99], table[base + 175]);
storageBarrier();
k50(table[base + 177]);
storageBarrier();
}
if (stage <= 16) {
var i5 = 0;
var count_i5 = 0;
if (stage >= 15) {
i5 = memberWord(record + 5);
count_i5 = memberWord(record + 6);
} else {
count_i5 = table[base + 178];
}
for (; i5 < count_i5; i5++) {
if (stage <= 15) {
if (limit > 0 && spent >= limit) {
suspend(record, left, 15, i4, count_i4, i5, count_i5);
return;
}
stage = 0;
spent += table[base + 179];
if (lid == 0) { storeI(table[base + 180], i5); }
storageBarrier();
}
if (stage <= 16) {
k6(table[base + 181], table[base + 99]);
storageBarrier();
k6(table[base + 182], table[base + 183]);
storageBarrier();
k51(table[base + 180], table[base + 182], table[base + 181], table[base + 184], table[base + 185], table[base + 186], table[base + 187], table[base + 188]);
storageBarrier();
k4(table[base + 189], table[base + 183]);
storageBarrier();
k52(table[base + 185], table[base + 189], table[base + 186], table[base + 181], table[base + 190], table[base + 191], table[base + 192], table[base + 193], table[base + 194], table[base + 195], table[base + 183]);
storageBarrier();
k7(table[base + 196], table[base + 176], table[base + 190], table[base + 183], 1);
storageBarrier();
k7(table[base + 197], table[base + 12], table[base + 196], table[base + 183], 4);
storageBarrier();
k7(table[base + 198], table[base + 14], table[base + 196], table[base + 183], 1);
storageBarrier();
k7(table[base + 199], table[base + 15], table[base + 196], table[base + 183], 1);
storageBarrier();
k7(table[base + 200], table[base + 167], table[base + 196], table[base + 183], 1);
storageBarrier();
k7(table[base + 201], table[base + 159], table[base + 196], table[base + 183], 1);
storageBarrier();
k5(table[base + 202], table[base + 197], table[base + 2], table[base + 183], table[base + 3], 4, table[base + 27]);
storageBarrier();
k2(table[base + 203], table[base + 202], table[base + 183], table[base + 3]);
storageBarrier();
k3(table[base + 204], table[base + 202], table[base + 183], table[base + 3], table[base + 203]);
storageBarrier();
k53(table[base + 202], table[base + 203], table[base + 204], table[base + 30], table[base + 31], table[base + 205], table[base + 206], table[base + 183], table[base + 3]);
storageBarrier();
k5(table[base + 207], table[base + 205], table[base + 5], table[base + 183], table[base + 6], table[base + 3], table[base + 34]);
storageBarrier();
k2(table[base + 208], table[base + 207], table[base + 183], table[base + 6]);
storageBarrier();
k3(table[base + 209], table[base + 207], table[base + 183], table[base + 6], table[base + 208]);
storageBarrier();
k54(table[base + 207], table[base + 208], table[base + 209], table[base + 210], table[base + 211], table[base + 183], table[base + 6]);
storageBarrier();
k5(table[base + 212], table[base + 210], table[base + 8], table[base + 183], table[base + 9], table[base + 6], table[base + 39]);
storageBarrier();
k2(table[base + 213], table[base + 212], table[base + 183], table[base + 9]);
storageBarrier();
k3(table[base + 214], table[base + 212], table[base + 183], table[base + 9], table[base + 213]);
storageBarrier();
k53(table[base + 212], table[base + 213], table[base + 214], table[base + 42], table[base + 43], table[base + 215], table[base + 216], table[base + 183], table[base + 9]);
storageBarrier();
k5(table[base + 217], table[base + 215], table[base + 11], table[base + 183], 2, table[base + 9], table[base + 46]);
storageBarrier();
k15(table[base + 217], table[base + 218], table[base + 183], 2);
storageBarrier();
k55(table[base + 217], table[base + 218], table[base + 219], table[base + 220], table[base + 221], table[base + 183], 2);
storageBarrier();
k17(table[base + 221], table[base + 222], table[base + 183]);
storageBarrier();
k56(table[base + 219], table[base + 222], table[base + 223], table[base + 224], table[base + 225], table[base + 183], 2);
storageBarrier();
k5(table[base + 226], table[base + 210], table[base + 108], table[base + 183], table[base + 109], table[base + 6], table[base + 110]);
storageBarrier();
k2(table[base + 227], table[base + 226], table[base + 183], table[base + 109]);
storageBarrier();
k3(table[base + 228], table[base + 226], table[base + 183], table[base + 109], table[base + 227]);
storageBarrier();
k53(table[base + 226], table[base + 227], table[base + 228], table[base + 113], table[base + 114], table[base + 229], table[base + 230], table[base + 183], table[base + 109]);
storageBarrier();
k5(table[base + 231], table[base + 229], table[base + 117], table[base + 183], 1, table[base + 109], table[base + 118]);
storageBarrier();
k4(table[base + 232], 2);
storageBarrier();
k57(table[base + 232], table[base + 198], table[base + 223], table[base + 233], table[base + 234], table[base + 183], 2);
storageBarrier();
k58(table[base + 234], table[base + 199], table[base + 187], table[base + 188], table[base + 200], table[base + 191], table[base + 231], table[base + 201], table[base + 225], table[base + 235], table[base + 236], table[base + 237], table[base + 238], table[base + 239], table[base + 240], table[base + 241], table[base + 242], table[base + 243], table[base + 183]);
storageBarrier();
k59(table[base + 240], table[base + 192], table[base + 241], table[base + 193], table[base + 242], table[base + 194], table[base + 244], table[base + 245], table[base + 243], table[base + 195], table[base + 246], table[base + 247], table[base + 248], table[base + 249], table[base + 177], table[base + 250], table[base + 251], table[base + 252], table[base + 246], table[base + 247], table[base + 248], table[base + 249], table[base + 177]);
storageBarrier();
k60(table[base + 250], table[base + 191], table[base + 251], table[base + 235], table[base + 252], table[base + 236], table[base + 200], table[base + 237], table[base + 238], table[base + 239], table[base + 253], table[base + 254], table[base + 255], table[base + 183]);
storageBarrier();
k61(table[base + 253], table[base + 223], table[base + 224], table[base + 254], table[base + 233], table[base + 256], table[base + 257], table[base + 183], 2);
storageBarrier();
k10(table[base + 258], table[base + 255], table[base + 117], table[base + 183], table[base + 109], 1);
storageBarrier();
k11(table[base + 259], table[base + 229], table[base + 255], table[base + 109], 1, table[base + 183]);
storageBarrier();
k62(table[base + 255], table[base + 260], 1, table[base + 183], 1);
storageBarrier();
k63(table[base + 229], table[base + 258], table[base + 113], table[base + 230], table[base + 261], table[base + 262], table[base + 263], table[base + 264], table[base + 183], table[base + 109]);
storageBarrier();
k64(table[base + 261], table[base + 265], 1, table[base + 183], table[base + 109]);
storageBarrier();
k65(table[base + 261], table[base + 230], table[base + 266], 1, table[base + 183], table[base + 109]);
storageBarrier();
k8(table[base + 267], table[base + 109]);
storageBarrier();
k66(table[base + 267], table[base + 268]);
storageBarrier();
k67(table[base + 230], table[base + 264], table[base + 263], table[base + 268], table[base + 262], table[base + 228], table[base + 269], table[base + 183], table[base + 109]);
storageBarrier();
k10(table[base + 270], table[base + 269], table[base + 108], table[base + 183], table[base + 6], table[base + 109]);
storageBarrier();
k11(table[base + 271], table[base + 210], table[base + 269], table[base + 6], table[base + 109], table[base + 183]);
storageBarrier();
k64(table[base + 269], table[base + 272], 1, table[base + 183], table[base + 109]);
storageBarrier();
k68(table[base + 257], table[base + 221], table[base + 273], table[base + 183]);
storageBarrier();
k69(table[base + 273], table[base + 220], table[base + 256], table[base + 274], table[base + 183], 2);
storageBarrier();
k10(table[base + 275], table[base + 274], table[base + 11], table[base + 183], table[base + 9], 2);
storageBarrier();
k11(table[base + 276], table[base + 215], table[base + 274], table[base + 9], 2, table[base + 183]);
storageBarrier();
k64(table[base + 274], table[base + 277], 1, table[base + 183], 2);
storageBarrier();
k63(table[base + 215], table[base + 275], table[base + 42], table[base + 216], table[base + 278], table[base + 279], table[base + 280], table[base + 281], table[base + 183], table[base + 9]);
storageBarrier();
k64(table[base + 278], table[base + 282], 1, table[base + 183], table[base + 9]);
storageBarrier();
k65(table[base + 278], table[base + 216], table[base + 283], 1, table[base + 183], table[base + 9]);
storageBarrier();
k8(table[base + 284], table[base + 9]);
storageBarrier();
k66(table[base + 284], table[base + 285]);
storageBarrier();
k67(table[base + 216], table[base + 281], table[base + 280], table[base + 285], table[base + 279], table[base + 214], table[base + 286], table[base + 183], table[base + 9]);
storageBarrier();
k10(table[base + 287], table[base + 286], table[base + 8], table[base + 183], table[base + 6], table[base + 9]);
storageBarrier();
k11(table[base + 288], table[base + 210], table[base + 286], table[base + 6], table[base + 9], table[base + 183]);
storageBarrier();
k64(table[base + 286], table[base + 289], 1, table[base + 183], table[base + 9]);
storageBarrier();
k70(table[base + 270], table[base + 287], table[base + 210], table[base + 211], table[base + 290], table[base + 291], table[base + 292], table[base + 183], table[base + 6]);
storageBarrier();
k8(table[base + 293], table[base + 6]);
storageBarrier();
k66(table[base + 293], table[base + 294]);
storageBarrier();
k67(table[base + 211], table[base + 292], table[base + 291], table[base + 294], table[base + 290], table[base + 209], table[base + 295], table[base + 183], table[base + 6]);
storageBarrier();
k10(table[base + 296], table[base + 295], table[base + 5], table[base + 183], table[base + 3], table[base + 6]);
storageBarrier();
k11(table[base + 297], table[base + 205], table[base + 295], table[base + 3], table[base + 6], table[base + 183]);
storageBarrier();
k64(table[base + 295], table[base + 298], 1, table[base + 183], table[base + 6]);
storageBarrier();
k63(table[base + 205], table[base + 296], table[base + 30], table[base + 206], table[base + 299], table[base + 300], table[base + 301], table[base + 302], table[base + 183], table[base + 3]);
storageBarrier();
k64(table[base + 299], table[base + 303], 1, table[base + 183], table[base + 3]);
storageBarrier();
k65(table[base + 299], table[base + 206], table[base + 304], 1, table[base + 183], table[base + 3]);
storageBarrier();
k8(table[base + 305], table[base + 3]);
storageBarrier();
k66(table[base + 305], table[base + 306]);
storageBarrier();
k67(table[base + 206], table[base + 302], table[base + 301], table[base + 306], table[base + 300], table[base + 204], table[base + 307], table[base + 183], table[base + 3]);
storageBarrier();
k11(table[base + 308], table[base + 197], table[base + 307], 4, table[base + 3], table[base + 183]);
storageBarrier();
k64(table[base + 307], table[base + 309], 1, table[base + 183], table[base + 3]);
storageBarrier();
k71(table[base + 308], table[base + 310], table[base + 311]);
storageBarrier();
k43(table[base + 310], table[base + 312], table[base + 311]);
storageBarrier();
k72(table[base + 309], table[base + 304], table[base + 303], table[base + 313], table[base + 314], table[base + 315], table[base + 3]);
storageBarrier();
k71(table[base + 297], table[base + 316], table[base + 317]);
storageBarrier();
k43(table[base + 316], table[base + 318], table[base + 317]);
storageBarrier();
k73(table[base + 298], table[base + 319], table[base + 6]);
storageBarrier();
k71(table[base + 288], table[base + 320], table[base + 321]);
storageBarrier();
k43(table[base + 320], table[base + 322], table[base + 321]);
storageBarrier();
k72(table[base + 289], table[base + 283], table[base + 282], table[base + 323], table[base + 324], table[base + 325], table[base + 9]);
storageBarrier();
k71(table[base + 276], table[base + 326], table[base + 327]);
storageBarrier();
k43(table[base + 326], table[base + 328], table[base + 327]);
storageBarrier();
k73(table[base + 277], table[base + 329], 2);
storageBarrier();
k74(table[base + 312], table[base + 313], table[base + 314], table[base + 315], table[base + 318], table[base + 319], table[base + 322], table[base + 323], table[base + 324], table[base + 325], table[base + 328], table[base + 329], table[base + 330], table[base + 331]);
storageBarrier();
k75(table[base + 308], table[base + 331], table[base + 332], table[base + 333], table[base + 334], table[base + 335], table[base + 332], table[base + 333], table[base + 311]);
storageBarrier();
k76(table[base + 309], table[base + 331], table[base + 304], table[base + 303], table[base + 336], table[base + 337], table[base + 338], table[base + 339], table[base + 336], table[base + 337], table[base + 340], table[base + 341], table[base + 342], table[base + 343], table[base + 3]);
storageBarrier();
k75(table[base + 297], table[base + 331], table[base + 344], table[base + 345], table[base + 346], table[base + 347], table[base + 344], table[base + 345], table[base + 317]);
storageBarrier();
k75(table[base + 298], table[base + 331], table[base + 348], table[base + 349], table[base + 350], table[base + 351], table[base + 348], table[base + 349], table[base + 6]);
storageBarrier();
k75(table[base + 288], table[base + 331], table[base + 352], table[base + 353], table[base + 354], table[base + 355], table[base + 352], table[base + 353], table[base + 321]);
storageBarrier();
k76(table[base + 289], table[base + 331], table[base + 283], table[base + 282], table[base + 356], table[base + 357], table[base + 358], table[base + 359], table[base + 356], table[base + 357], table[base + 360], table[base + 361], table[base + 362], table[base + 363], table[base + 9]);
storageBarrier();
k75(table[base + 276], table[base + 331], table[base + 364], table[base + 365], table[base + 366], table[base + 367], table[base + 364], table[base + 365], table[base + 327]);
storageBarrier();
k75(table[base + 277], table[base + 331], table[base + 368], table[base + 369], table[base + 370], table[base + 371], table[base + 368], table[base + 369], 2);
storageBarrier();
k71(table[base + 271], table[base + 372], table[base + 373]);
storageBarrier();
k43(table[base + 372], table[base + 374], table[base + 373]);
storageBarrier();
k72(table[base + 272], table[base + 266], table[base + 265], table[base + 375], table[base + 376], table[base + 377], table[base + 109]);
storageBarrier();
k71(table[base + 259], table[base + 378], table[base + 109]);
storageBarrier();
k43(table[base + 378], table[base + 379], table[base + 109]);
storageBarrier();
k73(table[base + 260], table[base + 380], 1);
storageBarrier();
k77(table[base + 374], table[base + 375], table[base + 376], table[base + 377], table[base + 379], table[base + 380], table[base + 330], table[base + 381], table[base + 382], table[base + 383], table[base + 384], table[base + 385], table[base + 381], table[base + 382], table[base + 386], table[base + 387], table[base + 384]);
storageBarrier();
k78(table[base + 271], table[base + 385], table[base + 388], table[base + 389], table[base + 386], table[base + 387], table[base + 108], table[base + 108], table[base + 388], table[base + 389], table[base + 373]);
storageBarrier();
k79(table[base + 272], table[base + 385], table[base + 266], table[base + 265], table[base + 390], table[base + 391], table[base + 386], table[base + 387], table[base + 110], table[base + 392], table[base + 393], table[base + 113], table[base + 394], table[base + 395], table[base + 114], table[base + 110], table[base + 390], table[base + 391], table[base + 113], table[base + 392], table[base + 393], table[base + 114], table[base + 394], table[base + 395], table[base + 109]);
storageBarrier();
k78(table[base + 259], table[base + 385], table[base + 396], table[base + 397], table[base + 386], table[base + 387], table[base + 117], table[base + 117], table[base + 396], table[base + 397], table[base + 109]);
storageBarrier();
k80(table[base + 260], table[base + 385], table[base + 398], table[base + 399], table[base + 386], table[base + 387], table[base + 118], table[base + 118], table[base + 398], table[base + 399]);
storageBarrier();
k81(table[base + 334], table[base + 386], table[base + 335], table[base + 387], table[base + 2], table[base + 2], table[base + 311]);
storageBarrier();
k82(table[base + 338], table[base + 386], table[base + 339], table[base + 387], table[base + 27], table[base + 400], table[base + 340], table[base + 401], table[base + 341], table[base + 30], table[base + 402], table[base + 342], table[base + 403], table[base + 343], table[base + 31], table[base + 27], table[base + 30], table[base + 400], table[base + 401], table[base + 31], table[base + 402], table[base + 403], table[base + 3]);
storageBarrier();
k81(table[base + 346], table[base + 386], table[base + 347], table[base + 387], table[base + 5], table[base + 5], table[base + 317]);
storageBarrier();
k81(table[base + 350], table[base + 386], table[base + 351], table[base + 387], table[base + 34], table[base + 34], table[base + 6]);
storageBarrier();
k81(table[base + 354], table[base + 386], table[base + 355], table[base + 387], table[base + 8], table[base + 8], table[base + 321]);
storageBarrier();
k82(table[base + 358], table[base + 386], table[base + 359], table[base + 387], table[base + 39], table[base + 404], table[base + 360], table[base + 405], table[base + 361], table[base + 42], table[base + 406], table[base + 362], table[base + 407], table[base + 363], table[base + 43], table[base + 39], table[base + 42], table[base + 404], table[base + 405], table[base + 43], table[base + 406], table[base + 407], table[base + 9]);
storageBarrier();
k81(table[base + 366], table[base + 386], table[base + 367], table[base + 387], table[base + 11], table[base + 11], table[base + 327]);
storageBarrier();
k81(table[base + 370], table[base + 386], table[base + 371], table[base + 387], table[base + 46], table[base + 46], 2);
storageBarrier();
}
}
}
if (stage <= 17) {
k8(table[base + 408], table[base + 178]);
storageBarrier();
k83(table[base + 177], table[base + 408], table[base + 409], table[base + 410]);
storageBarrier();
}
if (uniformLoad(table[base + 410]) != 0) { break; }
}
}
}
if (limit > 0) { suspend(record, 0, 0, 0, 0, 0, 0); }
}
