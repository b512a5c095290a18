// layer
// A member's table has its slots first, then what calls are given, in their order.
const RECORDS = 28;
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
  var k = 0;
  for (; k + 4 <= depth; k += 4) {
    let across0 = vec4<f32>(loadF(b + (k + 0) * n + c0), loadF(b + (k + 0) * n + c1), loadF(b + (k + 0) * n + c2), loadF(b + (k + 0) * n + c3));
    let down0_0 = loadF(a + r0 * depth + (k + 0));
    let down0_1 = loadF(a + r1 * depth + (k + 0));
    let down0_2 = loadF(a + r2 * depth + (k + 0));
    let down0_3 = loadF(a + r3 * depth + (k + 0));
    let across1 = vec4<f32>(loadF(b + (k + 1) * n + c0), loadF(b + (k + 1) * n + c1), loadF(b + (k + 1) * n + c2), loadF(b + (k + 1) * n + c3));
    let down1_0 = loadF(a + r0 * depth + (k + 1));
    let down1_1 = loadF(a + r1 * depth + (k + 1));
    let down1_2 = loadF(a + r2 * depth + (k + 1));
    let down1_3 = loadF(a + r3 * depth + (k + 1));
    let across2 = vec4<f32>(loadF(b + (k + 2) * n + c0), loadF(b + (k + 2) * n + c1), loadF(b + (k + 2) * n + c2), loadF(b + (k + 2) * n + c3));
    let down2_0 = loadF(a + r0 * depth + (k + 2));
    let down2_1 = loadF(a + r1 * depth + (k + 2));
    let down2_2 = loadF(a + r2 * depth + (k + 2));
    let down2_3 = loadF(a + r3 * depth + (k + 2));
    let across3 = vec4<f32>(loadF(b + (k + 3) * n + c0), loadF(b + (k + 3) * n + c1), loadF(b + (k + 3) * n + c2), loadF(b + (k + 3) * n + c3));
    let down3_0 = loadF(a + r0 * depth + (k + 3));
    let down3_1 = loadF(a + r1 * depth + (k + 3));
    let down3_2 = loadF(a + r2 * depth + (k + 3));
    let down3_3 = loadF(a + r3 * depth + (k + 3));
    s0 += down0_0 * across0;
    s1 += down0_1 * across0;
    s2 += down0_2 * across0;
    s3 += down0_3 * across0;
    s0 += down1_0 * across1;
    s1 += down1_1 * across1;
    s2 += down1_2 * across1;
    s3 += down1_3 * across1;
    s0 += down2_0 * across2;
    s1 += down2_1 * across2;
    s2 += down2_2 * across2;
    s3 += down2_3 * across2;
    s0 += down3_0 * across3;
    s1 += down3_1 * across3;
    s2 += down3_2 * across3;
    s3 += down3_3 * across3;
  }
  for (; k < depth; k++) {
    let across = vec4<f32>(loadF(b + k * n + c0), loadF(b + k * n + c1), loadF(b + k * n + c2), loadF(b + k * n + c3));
    s0 += loadF(a + r0 * depth + k) * across;
    s1 += loadF(a + r1 * depth + k) * across;
    s2 += loadF(a + r2 * depth + k) * across;
    s3 += loadF(a + r3 * depth + k) * across;
  }
  let end = min(row + 4, m) * n;
  for (var first = row * n + column; first < end; first += n) {
    storeF(to + first, s0[0]);
    if (column + 1 < n) { storeF(to + first + 1, s0[1]); }
    if (column + 2 < n) { storeF(to + first + 2, s0[2]); }
    if (column + 3 < n) { storeF(to + first + 3, s0[3]); }
    s0 = s1;
    s1 = s2;
    s2 = s3;
  }
}
}

// rowMean
fn k1(out: i32, x: i32, rows: i32, width: i32) {
for (var r = lid; r < rows; r += WG) {
var sum = 0.0;
for (var j_first = 0; j_first < width; j_first += 4 * 1) {
var value_next: array<f32, 4>;
for (var u = 0; u < 4; u++) {
let j = min(j_first + u * 1, width - 1);

value_next[u] = loadF(x + r * width + j);
}
for (var u = 0; u < 4; u++) {
let j = j_first + u * 1;
if (j < width) {

let value = value_next[u];
sum += value;
}
}
}
storeF(out + r, sum / f32(width));
}
}

// rowScale
fn k2(out: i32, x: i32, rows: i32, width: i32, means: i32) {
for (var r = lid; r < rows; r += WG) {
var sum = 0.0;
let mean = loadF(means + r);
for (var j_first = 0; j_first < width; j_first += 4 * 1) {
var value_next: array<f32, 4>;
for (var u = 0; u < 4; u++) {
let j = min(j_first + u * 1, width - 1);

value_next[u] = loadF(x + r * width + j);
}
for (var u = 0; u < 4; u++) {
let j = j_first + u * 1;
if (j < width) {

let value = value_next[u];
let centred = value - mean;
sum += centred * centred;
}
}
}
storeF(out + r, 1.0 / sqrt(sum / f32(width) + 0.00001));
}
}

// dimValue f32
fn k3(out: i32, value: i32) {
if (lid == 0) { storeF(out, f32(value)); }
}

// matmul true false false
fn k4(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32) {
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
  var k = 0;
  for (; k + 4 <= depth; k += 4) {
    let across0 = vec4<f32>(loadF(b + (k + 0) * n + c0), loadF(b + (k + 0) * n + c1), loadF(b + (k + 0) * n + c2), loadF(b + (k + 0) * n + c3));
    let down0_0 = loadF(a + (k + 0) * m + r0);
    let down0_1 = loadF(a + (k + 0) * m + r1);
    let down0_2 = loadF(a + (k + 0) * m + r2);
    let down0_3 = loadF(a + (k + 0) * m + r3);
    let across1 = vec4<f32>(loadF(b + (k + 1) * n + c0), loadF(b + (k + 1) * n + c1), loadF(b + (k + 1) * n + c2), loadF(b + (k + 1) * n + c3));
    let down1_0 = loadF(a + (k + 1) * m + r0);
    let down1_1 = loadF(a + (k + 1) * m + r1);
    let down1_2 = loadF(a + (k + 1) * m + r2);
    let down1_3 = loadF(a + (k + 1) * m + r3);
    let across2 = vec4<f32>(loadF(b + (k + 2) * n + c0), loadF(b + (k + 2) * n + c1), loadF(b + (k + 2) * n + c2), loadF(b + (k + 2) * n + c3));
    let down2_0 = loadF(a + (k + 2) * m + r0);
    let down2_1 = loadF(a + (k + 2) * m + r1);
    let down2_2 = loadF(a + (k + 2) * m + r2);
    let down2_3 = loadF(a + (k + 2) * m + r3);
    let across3 = vec4<f32>(loadF(b + (k + 3) * n + c0), loadF(b + (k + 3) * n + c1), loadF(b + (k + 3) * n + c2), loadF(b + (k + 3) * n + c3));
    let down3_0 = loadF(a + (k + 3) * m + r0);
    let down3_1 = loadF(a + (k + 3) * m + r1);
    let down3_2 = loadF(a + (k + 3) * m + r2);
    let down3_3 = loadF(a + (k + 3) * m + r3);
    s0 += down0_0 * across0;
    s1 += down0_1 * across0;
    s2 += down0_2 * across0;
    s3 += down0_3 * across0;
    s0 += down1_0 * across1;
    s1 += down1_1 * across1;
    s2 += down1_2 * across1;
    s3 += down1_3 * across1;
    s0 += down2_0 * across2;
    s1 += down2_1 * across2;
    s2 += down2_2 * across2;
    s3 += down2_3 * across2;
    s0 += down3_0 * across3;
    s1 += down3_1 * across3;
    s2 += down3_2 * across3;
    s3 += down3_3 * across3;
  }
  for (; k < depth; k++) {
    let across = vec4<f32>(loadF(b + k * n + c0), loadF(b + k * n + c1), loadF(b + k * n + c2), loadF(b + k * n + c3));
    s0 += loadF(a + k * m + r0) * across;
    s1 += loadF(a + k * m + r1) * across;
    s2 += loadF(a + k * m + r2) * across;
    s3 += loadF(a + k * m + r3) * across;
  }
  let end = min(row + 4, m) * n;
  for (var first = row * n + column; first < end; first += n) {
    storeF(to + first, s0[0]);
    if (column + 1 < n) { storeF(to + first + 1, s0[1]); }
    if (column + 2 < n) { storeF(to + first + 2, s0[2]); }
    if (column + 3 < n) { storeF(to + first + 3, s0[3]); }
    s0 = s1;
    s1 = s2;
    s2 = s3;
  }
}
}

// sub standardize maximum sub mul less
fn k5(p0: i32, p1: i32, p2: i32, s0: i32, s1: i32, s2: i32, s3: i32, d0: i32, d1: i32) {
for (var e = lid; e < d0 * d1; e += WG) {
let c1 = (e) % d1;
let c0 = (e) / d1;
let o0 = loadF(p0 + c1 + c0 * d1);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2 + c0);
let v3 = (o0 - o1);
let v4 = (v3 * o2);
var v5 = bitcast<f32>(0x0u);
let v6 = select(v4, v5, v4 < v5);
var v7 = bitcast<f32>(0x3f800000u);
let v8 = (v6 - v7);
let v9 = (v8 * v8);
let v10 = (v4 < v5);
storeF(s0 + e, v9);
storeF(s1 + e, v8);
storeB(s2 + e, v10);
storeF(s3 + e, v4);
}
}

// constant
fn k6(p0: i32, r0: i32, d0: i32) {
var total0 = 0.0;
for (var e_first = lid; e_first < d0; e_first += 4 * WG) {
var o0_next: array<f32, 4>;
for (var u = 0; u < 4; u++) {
let e = min(e_first + u * WG, d0 - 1);
let c0 = e;
o0_next[u] = loadF(p0 + c0);
}
for (var u = 0; u < 4; u++) {
let e = e_first + u * WG;
if (e < d0) {
let c0 = e;
let o0 = o0_next[u];

total0 = total0 + o0;
}
}
}
let all0 = sumOver(total0);
if (lid == 0) { storeF(r0, all0); }
workgroupBarrier();
}

// div div
fn k7(p0: i32, p1: i32, s0: i32, s1: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
let o1 = loadF(p1);
let v2 = (o0 / o1);
var v3 = bitcast<f32>(0x3f800000u);
let v4 = (v3 / o1);
storeF(s0 + e, v4);
storeF(s1 + e, v2);
}
}

// broadcast
fn k8(p0: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0);
let v1 = o0;
storeF(s0 + e, v1);
}
}

// mul mul add select mul
fn k9(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, r0: i32, r1: i32, d0: i32, d1: i32) {
for (var row = lid; row < d0; row += WG) {
let c0 = row;
var total0 = 0.0;
var total1 = 0.0;
for (var c1_first = 0; c1_first < d1; c1_first += 4 * 1) {
var o0_next: array<f32, 4>;
var o1_next: array<f32, 4>;
var o2_next: array<bool, 4>;
var o3_next: array<f32, 4>;
for (var u = 0; u < 4; u++) {
let c1 = min(c1_first + u * 1, d1 - 1);
let e = row * d1 + c1;
o0_next[u] = loadF(p0 + c1 + c0 * d1);
o1_next[u] = loadF(p1 + c1 + c0 * d1);
o2_next[u] = loadB(p2 + c1 + c0 * d1);
o3_next[u] = loadF(p3 + c1 + c0 * d1);
}
for (var u = 0; u < 4; u++) {
let c1 = c1_first + u * 1;
if (c1 < d1) {
let e = row * d1 + c1;
let o0 = o0_next[u];
let o1 = o1_next[u];
let o2 = o2_next[u];
let o3 = o3_next[u];
let v4 = (o0 * o1);
let v5 = (o0 * o1);
let v6 = (v4 + v5);
var v7 = bitcast<f32>(0x0u);
let v8 = select(v6, v7, o2);
let v9 = (v8 * o3);
storeF(s0 + e, v8);
total0 = total0 + v8;
total1 = total1 + v9;
}
}
}
storeF(r0 + row, total0);
storeF(r1 + row, total1);
}
}

// div
fn k10(p0: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
var v1 = bitcast<f32>(0x3f800000u);
let v2 = (v1 / o0);
storeF(s0 + e, v2);
}
}

// mul add mul sub mul
fn k11(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, s0: i32, d0: i32, d1: i32) {
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

// sum
fn k12(p0: i32, to: i32, outer: i32, axis: i32, inner: i32) {
for (var e = lid; e < outer * inner; e += WG) {
let o = e / inner;
let j = e % inner;
var total = 0.0;
for (var a_first = 0; a_first < axis; a_first += 4 * 1) {
var x0_next: array<f32, 4>;
for (var u = 0; u < 4; u++) {
let a = min(a_first + u * 1, axis - 1);

x0_next[u] = loadF(p0 + a * inner + j);
}
for (var u = 0; u < 4; u++) {
let a = a_first + u * 1;
if (a < axis) {

let x0 = x0_next[u];

total = total + x0;
}
}
}
storeF(to + e, total);
}
}

// mul sub
fn k13(p0: i32, p1: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
var v2 = bitcast<f32>(0x3dcccccdu);
let v3 = (o0 * v2);
let v4 = (o1 - v3);
storeF(s0 + e, v4);
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
{
var at = base + RECORDS + 0;
k0(table[at + 0], table[at + 1], table[at + 2], table[at + 3], table[at + 4], 3, table[at + 5]);
storageBarrier();
at += 6;
k1(table[at + 0], table[at + 1], table[at + 2], table[at + 3]);
storageBarrier();
at += 4;
k2(table[at + 0], table[at + 1], table[at + 2], table[at + 3], table[at + 4]);
storageBarrier();
at += 5;
k5(table[at + 0], table[at + 1], table[at + 2], table[at + 3], table[at + 4], table[at + 5], table[at + 6], table[at + 7], table[at + 8]);
storageBarrier();
at += 9;
k6(table[at + 0], table[at + 1], table[at + 2]);
storageBarrier();
at += 3;
k3(table[at + 0], table[at + 1]);
storageBarrier();
at += 2;
k7(table[at + 0], table[at + 1], table[at + 2], table[at + 3]);
storageBarrier();
at += 4;
k8(table[at + 0], table[at + 1], table[at + 2]);
storageBarrier();
at += 3;
k9(table[at + 0], table[at + 1], table[at + 2], table[at + 3], table[at + 4], table[at + 5], table[at + 6], table[at + 7], table[at + 8]);
storageBarrier();
at += 9;
k3(table[at + 0], table[at + 1]);
storageBarrier();
at += 2;
k10(table[at + 0], table[at + 1]);
storageBarrier();
at += 2;
k11(table[at + 0], table[at + 1], table[at + 2], table[at + 3], table[at + 4], table[at + 5], table[at + 6], table[at + 7], table[at + 8]);
storageBarrier();
at += 9;
k4(table[at + 0], table[at + 1], table[at + 2], 3, table[at + 3], table[at + 4]);
storageBarrier();
at += 5;
k12(table[at + 0], table[at + 1], 1, table[at + 2], table[at + 3]);
storageBarrier();
at += 4;
let times0 = 2;
for (var r0 = 0; r0 < times0; r0++) {
k13(table[at + 0], table[at + 1], table[at + 2], table[at + 3]);
storageBarrier();
at += 4;
}
}
}
}
if (limit > 0) { suspend(record, 0, 0, 0, 0, 0, 0); }
}
