// DQN.learn
// matmul false false true
fn k0(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32, bias: i32) {
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

// rowMean
fn k1(out: i32, x: i32, rows: i32, width: i32) {
for (var r = lid; r < rows; r += WG) {
  var sum = 0.0;
  for (var j = 0; j < width; j++) { sum += loadF(x + r * width + j); }
  storeF(out + r, sum / f32(width));
}
}

// rowScale
fn k2(out: i32, x: i32, rows: i32, width: i32, means: i32) {
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
fn k3(out: i32, n: i32) {
for (var i = lid; i < n; i += WG) {
  storeI(out + i, i);
}
}

// dimValue f32
fn k4(out: i32, value: i32) {
if (lid == 0) { storeF(out, f32(value)); }
}

// matmul false true false
fn k5(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32) {
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
fn k6(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32) {
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

// sub standardize mul add relu
fn k7(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, s0: i32, d0: i32, d1: i32) {
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
fn k8(p0: i32, p1: i32, p2: i32, s0: i32, d0: i32, d1: i32) {
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
fn k9(p0: i32, r0: i32, d0: i32, d1: i32) {
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

// sub mul mul add
fn k10(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2 + c0);
let o3 = loadF(p3 + c0);
var v4 = bitcast<f32>(0x3f800000u);
let v5 = (v4 - o0);
let v6 = (v5 * o1);
let v7 = (o2 * v6);
let v8 = (o3 + v7);
storeF(s0 + e, v8);
}
}

// sub standardize mul add relu
fn k11(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, s0: i32, s1: i32, d0: i32, d1: i32) {
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
fn k12(p0: i32, p1: i32, p2: i32, s0: i32, s1: i32, d0: i32, d1: i32) {
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

// equal select
fn k13(p0: i32, p1: i32, p2: i32, s0: i32, r0: i32, d0: i32, d1: i32) {
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

// sub mul
fn k14(p0: i32, p1: i32, s0: i32, r0: i32, d0: i32) {
var total0 = 0.0;
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
let v2 = (o0 - o1);
let v3 = (v2 * v2);
storeF(s0 + e, v2);
total0 = total0 + v3;
}
let all0 = sumOver(total0);
if (lid == 0) { storeF(r0, all0); }
workgroupBarrier();
}

// div div add
fn k15(p0: i32, p1: i32, p2: i32, s0: i32, s1: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
let o1 = loadF(p1);
let o2 = loadF(p2);
let v3 = (o0 / o1);
var v4 = bitcast<f32>(0x3f800000u);
let v5 = (v4 / o1);
let v6 = (o2 + v3);
storeF(s0 + e, v5);
storeF(s1 + e, v6);
}
}

// broadcast mul mul add
fn k16(p0: i32, p1: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0);
let o1 = loadF(p1 + c0);
let v2 = o0;
let v3 = (v2 * o1);
let v4 = (v2 * o1);
let v5 = (v3 + v4);
storeF(s0 + e, v5);
}
}

// broadcast select
fn k17(p0: i32, p1: i32, s0: i32, d0: i32, d1: i32) {
for (var e = lid; e < d0 * d1; e += WG) {
let c1 = (e) % d1;
let c0 = (e) / d1;
let o0 = loadF(p0 + c0);
let o1 = loadB(p1 + c1 + c0 * d1);
let v2 = o0;
var v3 = bitcast<f32>(0x0u);
let v4 = select(v3, v2, o1);
storeF(s0 + e, v4);
}
}

// sum
fn k18(p0: i32, to: i32, outer: i32, axis: i32, inner: i32) {
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

// gate mul mul
fn k19(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, s1: i32, r0: i32, r1: i32, d0: i32, d1: i32) {
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

// mul sum
fn k20(p0: i32, p1: i32, to: i32, outer: i32, axis: i32, inner: i32) {
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
fn k21(p0: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
var v1 = bitcast<f32>(0x3f800000u);
let v2 = (v1 / o0);
storeF(s0 + e, v2);
}
}

// mul add mul sub mul
fn k22(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, s0: i32, d0: i32, d1: i32) {
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

// gate mul
fn k23(p0: i32, p1: i32, p2: i32, s0: i32, r0: i32, r1: i32, d0: i32, d1: i32) {
for (var row = lid; row < d0; row += WG) {
let c0 = row;
var total0 = 0.0;
var total1 = 0.0;
for (var c1 = 0; c1 < d1; c1++) {
let e = row * d1 + c1;
let o0 = loadF(p0 + c1 + c0 * d1);
let o1 = loadF(p1 + c1 + c0 * d1);
let o2 = loadF(p2 + c1 + c0 * d1);
let v3 = select(o1, 0.0, o0 <= 0.0);
let v4 = (v3 * o2);
storeF(s0 + e, v3);
total0 = total0 + v3;
total1 = total1 + v4;
}
storeF(r0 + row, total0);
storeF(r1 + row, total1);
}
}

// div mul mul sub div sub sqrt div add
fn k24(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
let o1 = loadF(p1);
let o2 = loadF(p2);
let o3 = loadF(p3);
let o4 = loadI(p4);
var v5 = bitcast<f32>(0x3f800000u);
let v6 = (v5 / o0);
var v7 = bitcast<f32>(0x3f666666u);
let v8 = (o1 * v7);
var v9 = bitcast<f32>(0x3f7fbe77u);
let v10 = (o2 * v9);
var v11 = bitcast<f32>(0x3f800000u);
let v12 = (v11 - v8);
let v13 = (o3 / v12);
var v14 = bitcast<f32>(0x3f800000u);
let v15 = (v14 - v10);
let v16 = sqrt(v15);
var v17 = bitcast<f32>(0x3f800000u);
let v18 = (v17 / v16);
var v19 = i32(1);
let v20 = (o4 + v19);
storeF(s0 + e, v6);
storeF(s1 + e, v8);
storeF(s2 + e, v10);
storeF(s3 + e, v13);
storeF(s4 + e, v18);
storeI(s5 + e, v20);
}
}

// mul mul add mul mul mul add mul sqrt mul add div sub sub mul add
fn k25(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, s0: i32, s1: i32, s2: i32, s3: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2 + c0);
let o3 = loadF(p3);
let o4 = loadF(p4);
let o5 = loadF(p5 + c0);
let o6 = loadF(p6 + c0);
let o7 = loadF(p7);
var v8 = bitcast<f32>(0x3f666666u);
let v9 = (o0 * v8);
var v10 = bitcast<f32>(0x3dcccccdu);
let v11 = (o1 * v10);
let v12 = (v9 + v11);
var v13 = bitcast<f32>(0x3f7fbe77u);
let v14 = (o2 * v13);
let v15 = (o1 * o1);
var v16 = bitcast<f32>(0x3a83126fu);
let v17 = (v15 * v16);
let v18 = (v14 + v17);
let v19 = (v12 * o3);
let v20 = sqrt(v18);
let v21 = (v20 * o4);
var v22 = bitcast<f32>(0x322bcc77u);
let v23 = (v21 + v22);
let v24 = (v19 / v23);
let v25 = (o5 - v24);
let v26 = (v25 - o6);
let v27 = (v26 * o7);
let v28 = (o6 + v27);
storeF(s0 + e, v25);
storeF(s1 + e, v12);
storeF(s2 + e, v18);
storeF(s3 + e, v28);
}
}

// mul mul add mul mul mul add mul sqrt mul add div sub mul mul add mul mul mul add mul sqrt mul add div sub mul mul add mul mul mul add mul sqrt mul add div sub sub mul add sub mul add sub mul add
fn k26(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, p9: i32, p10: i32, p11: i32, p12: i32, p13: i32, p14: i32, p15: i32, p16: i32, p17: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32, s6: i32, s7: i32, s8: i32, s9: i32, s10: i32, s11: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2 + c0);
let o3 = loadF(p3);
let o4 = loadF(p4);
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
let o15 = loadF(p15);
let o16 = loadF(p16 + c0);
let o17 = loadF(p17 + c0);
var v18 = bitcast<f32>(0x3f666666u);
let v19 = (o0 * v18);
var v20 = bitcast<f32>(0x3dcccccdu);
let v21 = (o1 * v20);
let v22 = (v19 + v21);
var v23 = bitcast<f32>(0x3f7fbe77u);
let v24 = (o2 * v23);
let v25 = (o1 * o1);
var v26 = bitcast<f32>(0x3a83126fu);
let v27 = (v25 * v26);
let v28 = (v24 + v27);
let v29 = (v22 * o3);
let v30 = sqrt(v28);
let v31 = (v30 * o4);
var v32 = bitcast<f32>(0x322bcc77u);
let v33 = (v31 + v32);
let v34 = (v29 / v33);
let v35 = (o5 - v34);
var v36 = bitcast<f32>(0x3f666666u);
let v37 = (o6 * v36);
var v38 = bitcast<f32>(0x3dcccccdu);
let v39 = (o7 * v38);
let v40 = (v37 + v39);
var v41 = bitcast<f32>(0x3f7fbe77u);
let v42 = (o8 * v41);
let v43 = (o7 * o7);
var v44 = bitcast<f32>(0x3a83126fu);
let v45 = (v43 * v44);
let v46 = (v42 + v45);
let v47 = (v40 * o3);
let v48 = sqrt(v46);
let v49 = (v48 * o4);
var v50 = bitcast<f32>(0x322bcc77u);
let v51 = (v49 + v50);
let v52 = (v47 / v51);
let v53 = (o9 - v52);
var v54 = bitcast<f32>(0x3f666666u);
let v55 = (o10 * v54);
var v56 = bitcast<f32>(0x3dcccccdu);
let v57 = (o11 * v56);
let v58 = (v55 + v57);
var v59 = bitcast<f32>(0x3f7fbe77u);
let v60 = (o12 * v59);
let v61 = (o11 * o11);
var v62 = bitcast<f32>(0x3a83126fu);
let v63 = (v61 * v62);
let v64 = (v60 + v63);
let v65 = (v58 * o3);
let v66 = sqrt(v64);
let v67 = (v66 * o4);
var v68 = bitcast<f32>(0x322bcc77u);
let v69 = (v67 + v68);
let v70 = (v65 / v69);
let v71 = (o13 - v70);
let v72 = (v35 - o14);
let v73 = (v72 * o15);
let v74 = (o14 + v73);
let v75 = (v53 - o16);
let v76 = (v75 * o15);
let v77 = (o16 + v76);
let v78 = (v71 - o17);
let v79 = (v78 * o15);
let v80 = (o17 + v79);
storeF(s0 + e, v35);
storeF(s1 + e, v22);
storeF(s2 + e, v28);
storeF(s3 + e, v53);
storeF(s4 + e, v40);
storeF(s5 + e, v46);
storeF(s6 + e, v71);
storeF(s7 + e, v58);
storeF(s8 + e, v64);
storeF(s9 + e, v74);
storeF(s10 + e, v77);
storeF(s11 + e, v80);
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
k0(table[base + 1], table[base + 2], table[base + 3], table[base + 4], table[base + 5], 4, table[base + 6]);
storageBarrier();
k1(table[base + 7], table[base + 1], table[base + 4], table[base + 5]);
storageBarrier();
k2(table[base + 8], table[base + 1], table[base + 4], table[base + 5], table[base + 7]);
storageBarrier();
k7(table[base + 1], table[base + 7], table[base + 8], table[base + 9], table[base + 10], table[base + 11], table[base + 4], table[base + 5]);
storageBarrier();
k0(table[base + 12], table[base + 11], table[base + 13], table[base + 4], table[base + 14], table[base + 5], table[base + 15]);
storageBarrier();
k1(table[base + 16], table[base + 12], table[base + 4], table[base + 14]);
storageBarrier();
k2(table[base + 17], table[base + 12], table[base + 4], table[base + 14], table[base + 16]);
storageBarrier();
k8(table[base + 12], table[base + 16], table[base + 17], table[base + 18], table[base + 4], table[base + 14]);
storageBarrier();
k0(table[base + 19], table[base + 18], table[base + 20], table[base + 4], table[base + 21], table[base + 14], table[base + 22]);
storageBarrier();
k1(table[base + 23], table[base + 19], table[base + 4], table[base + 21]);
storageBarrier();
k2(table[base + 24], table[base + 19], table[base + 4], table[base + 21], table[base + 23]);
storageBarrier();
k7(table[base + 19], table[base + 23], table[base + 24], table[base + 25], table[base + 26], table[base + 27], table[base + 4], table[base + 21]);
storageBarrier();
k0(table[base + 28], table[base + 27], table[base + 29], table[base + 4], 2, table[base + 21], table[base + 30]);
storageBarrier();
k9(table[base + 28], table[base + 31], table[base + 4], 2);
storageBarrier();
k10(table[base + 32], table[base + 31], table[base + 33], table[base + 34], table[base + 35], table[base + 4]);
storageBarrier();
k0(table[base + 36], table[base + 37], table[base + 38], table[base + 4], table[base + 5], 4, table[base + 39]);
storageBarrier();
k1(table[base + 40], table[base + 36], table[base + 4], table[base + 5]);
storageBarrier();
k2(table[base + 41], table[base + 36], table[base + 4], table[base + 5], table[base + 40]);
storageBarrier();
k11(table[base + 36], table[base + 40], table[base + 41], table[base + 42], table[base + 43], table[base + 44], table[base + 45], table[base + 4], table[base + 5]);
storageBarrier();
k0(table[base + 46], table[base + 44], table[base + 47], table[base + 4], table[base + 14], table[base + 5], table[base + 48]);
storageBarrier();
k1(table[base + 49], table[base + 46], table[base + 4], table[base + 14]);
storageBarrier();
k2(table[base + 50], table[base + 46], table[base + 4], table[base + 14], table[base + 49]);
storageBarrier();
k12(table[base + 46], table[base + 49], table[base + 50], table[base + 51], table[base + 52], table[base + 4], table[base + 14]);
storageBarrier();
k0(table[base + 53], table[base + 51], table[base + 54], table[base + 4], table[base + 21], table[base + 14], table[base + 55]);
storageBarrier();
k1(table[base + 56], table[base + 53], table[base + 4], table[base + 21]);
storageBarrier();
k2(table[base + 57], table[base + 53], table[base + 4], table[base + 21], table[base + 56]);
storageBarrier();
k11(table[base + 53], table[base + 56], table[base + 57], table[base + 58], table[base + 59], table[base + 60], table[base + 61], table[base + 4], table[base + 21]);
storageBarrier();
k0(table[base + 62], table[base + 60], table[base + 63], table[base + 4], 2, table[base + 21], table[base + 64]);
storageBarrier();
k3(table[base + 65], 2);
storageBarrier();
k13(table[base + 65], table[base + 66], table[base + 62], table[base + 67], table[base + 68], table[base + 4], 2);
storageBarrier();
k14(table[base + 68], table[base + 35], table[base + 69], table[base + 70], table[base + 4]);
storageBarrier();
k4(table[base + 71], table[base + 4]);
storageBarrier();
k15(table[base + 70], table[base + 71], table[base + 72], table[base + 73], table[base + 72]);
storageBarrier();
k16(table[base + 73], table[base + 69], table[base + 74], table[base + 4]);
storageBarrier();
k17(table[base + 74], table[base + 67], table[base + 75], table[base + 4], 2);
storageBarrier();
k5(table[base + 76], table[base + 75], table[base + 63], table[base + 4], table[base + 21], 2);
storageBarrier();
k6(table[base + 77], table[base + 60], table[base + 75], table[base + 21], 2, table[base + 4]);
storageBarrier();
k18(table[base + 75], table[base + 78], 1, table[base + 4], 2);
storageBarrier();
k19(table[base + 60], table[base + 76], table[base + 58], table[base + 61], table[base + 79], table[base + 80], table[base + 81], table[base + 82], table[base + 4], table[base + 21]);
storageBarrier();
k18(table[base + 79], table[base + 83], 1, table[base + 4], table[base + 21]);
storageBarrier();
k20(table[base + 79], table[base + 61], table[base + 84], 1, table[base + 4], table[base + 21]);
storageBarrier();
k4(table[base + 85], table[base + 21]);
storageBarrier();
k21(table[base + 85], table[base + 86]);
storageBarrier();
k22(table[base + 61], table[base + 82], table[base + 81], table[base + 86], table[base + 80], table[base + 57], table[base + 87], table[base + 4], table[base + 21]);
storageBarrier();
k5(table[base + 88], table[base + 87], table[base + 54], table[base + 4], table[base + 14], table[base + 21]);
storageBarrier();
k6(table[base + 89], table[base + 51], table[base + 87], table[base + 14], table[base + 21], table[base + 4]);
storageBarrier();
k18(table[base + 87], table[base + 90], 1, table[base + 4], table[base + 21]);
storageBarrier();
k23(table[base + 51], table[base + 88], table[base + 52], table[base + 91], table[base + 92], table[base + 93], table[base + 4], table[base + 14]);
storageBarrier();
k4(table[base + 94], table[base + 14]);
storageBarrier();
k21(table[base + 94], table[base + 95]);
storageBarrier();
k22(table[base + 52], table[base + 93], table[base + 92], table[base + 95], table[base + 91], table[base + 50], table[base + 96], table[base + 4], table[base + 14]);
storageBarrier();
k5(table[base + 97], table[base + 96], table[base + 47], table[base + 4], table[base + 5], table[base + 14]);
storageBarrier();
k6(table[base + 98], table[base + 44], table[base + 96], table[base + 5], table[base + 14], table[base + 4]);
storageBarrier();
k18(table[base + 96], table[base + 99], 1, table[base + 4], table[base + 14]);
storageBarrier();
k19(table[base + 44], table[base + 97], table[base + 42], table[base + 45], table[base + 100], table[base + 101], table[base + 102], table[base + 103], table[base + 4], table[base + 5]);
storageBarrier();
k18(table[base + 100], table[base + 104], 1, table[base + 4], table[base + 5]);
storageBarrier();
k20(table[base + 100], table[base + 45], table[base + 105], 1, table[base + 4], table[base + 5]);
storageBarrier();
k4(table[base + 106], table[base + 5]);
storageBarrier();
k24(table[base + 106], table[base + 107], table[base + 108], table[base + 109], table[base + 110], table[base + 111], table[base + 107], table[base + 108], table[base + 112], table[base + 113], table[base + 110]);
storageBarrier();
k22(table[base + 45], table[base + 103], table[base + 102], table[base + 111], table[base + 101], table[base + 41], table[base + 114], table[base + 4], table[base + 5]);
storageBarrier();
k6(table[base + 115], table[base + 37], table[base + 114], 4, table[base + 5], table[base + 4]);
storageBarrier();
k18(table[base + 114], table[base + 116], 1, table[base + 4], table[base + 5]);
storageBarrier();
k25(table[base + 117], table[base + 115], table[base + 118], table[base + 112], table[base + 113], table[base + 38], table[base + 3], table[base + 119], table[base + 38], table[base + 117], table[base + 118], table[base + 3], table[base + 120]);
storageBarrier();
k26(table[base + 121], table[base + 116], table[base + 122], table[base + 112], table[base + 113], table[base + 39], table[base + 123], table[base + 105], table[base + 124], table[base + 42], table[base + 125], table[base + 104], table[base + 126], table[base + 43], table[base + 6], table[base + 119], table[base + 9], table[base + 10], table[base + 39], table[base + 121], table[base + 122], table[base + 42], table[base + 123], table[base + 124], table[base + 43], table[base + 125], table[base + 126], table[base + 6], table[base + 9], table[base + 10], table[base + 5]);
storageBarrier();
k25(table[base + 127], table[base + 98], table[base + 128], table[base + 112], table[base + 113], table[base + 47], table[base + 13], table[base + 119], table[base + 47], table[base + 127], table[base + 128], table[base + 13], table[base + 129]);
storageBarrier();
k25(table[base + 130], table[base + 99], table[base + 131], table[base + 112], table[base + 113], table[base + 48], table[base + 15], table[base + 119], table[base + 48], table[base + 130], table[base + 131], table[base + 15], table[base + 14]);
storageBarrier();
k25(table[base + 132], table[base + 89], table[base + 133], table[base + 112], table[base + 113], table[base + 54], table[base + 20], table[base + 119], table[base + 54], table[base + 132], table[base + 133], table[base + 20], table[base + 134]);
storageBarrier();
k26(table[base + 135], table[base + 90], table[base + 136], table[base + 112], table[base + 113], table[base + 55], table[base + 137], table[base + 84], table[base + 138], table[base + 58], table[base + 139], table[base + 83], table[base + 140], table[base + 59], table[base + 22], table[base + 119], table[base + 25], table[base + 26], table[base + 55], table[base + 135], table[base + 136], table[base + 58], table[base + 137], table[base + 138], table[base + 59], table[base + 139], table[base + 140], table[base + 22], table[base + 25], table[base + 26], table[base + 21]);
storageBarrier();
k25(table[base + 141], table[base + 77], table[base + 142], table[base + 112], table[base + 113], table[base + 63], table[base + 29], table[base + 119], table[base + 63], table[base + 141], table[base + 142], table[base + 29], table[base + 143]);
storageBarrier();
k25(table[base + 144], table[base + 78], table[base + 145], table[base + 112], table[base + 113], table[base + 64], table[base + 30], table[base + 119], table[base + 64], table[base + 144], table[base + 145], table[base + 30], 2);
storageBarrier();
}
}
if (limit > 0) { suspend(record, 0, 0, 0, 0, 0, 0); }
}
