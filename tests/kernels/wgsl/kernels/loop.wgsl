// loop
// A member's table has its slots first, then what calls are given, in their order.
const RECORDS = 17;
var<workgroup> matrices: array<vec4<f32>, 1980>;

// matmul staged false
fn k0(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32, staged: i32) {
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
  if (staged < 0) {
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
  } else {
    let at = staged + tile % acrossN;
  var k = 0;
  for (; k + 4 <= depth; k += 4) {
    let across0 = matrices[at + (k + 0) * acrossN];
    let down0_0 = loadF(a + r0 * depth + (k + 0));
    let down0_1 = loadF(a + r1 * depth + (k + 0));
    let down0_2 = loadF(a + r2 * depth + (k + 0));
    let down0_3 = loadF(a + r3 * depth + (k + 0));
    let across1 = matrices[at + (k + 1) * acrossN];
    let down1_0 = loadF(a + r0 * depth + (k + 1));
    let down1_1 = loadF(a + r1 * depth + (k + 1));
    let down1_2 = loadF(a + r2 * depth + (k + 1));
    let down1_3 = loadF(a + r3 * depth + (k + 1));
    let across2 = matrices[at + (k + 2) * acrossN];
    let down2_0 = loadF(a + r0 * depth + (k + 2));
    let down2_1 = loadF(a + r1 * depth + (k + 2));
    let down2_2 = loadF(a + r2 * depth + (k + 2));
    let down2_3 = loadF(a + r3 * depth + (k + 2));
    let across3 = matrices[at + (k + 3) * acrossN];
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
    let across = matrices[at + k * acrossN];
    s0 += loadF(a + r0 * depth + k) * across;
    s1 += loadF(a + r1 * depth + k) * across;
    s2 += loadF(a + r2 * depth + k) * across;
    s3 += loadF(a + r3 * depth + k) * across;
  }
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

// copy
fn k1(to: i32, source: i32, words: i32) {
for (var i = lid; i < words; i += WG) {
  heap[to + i] = heap[source + i];
}
}

// stage
fn k2(to: i32, source: i32, rows: i32, columns: i32) {
if (to < 0) { return; }
let across = (columns + 3) / 4;
for (var i = lid; i < rows * across; i += WG) {
  let row = source + (i / across) * columns;
  let c = (i % across) * 4;
  let last = columns - 1;
  matrices[to + i] = vec4<f32>(loadF(row + c), loadF(row + min(c + 1, last)), loadF(row + min(c + 2, last)), loadF(row + min(c + 3, last)));
}
}

// tanh
fn k3(p0: i32, s0: i32, s1: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let v1 = tanhOf(o0);
storeF(s0 + e, v1);
storeF(s1 + e, v1);
}
}

// constant
fn k4(p0: i32, p1: i32, r0: i32, r1: i32, d0: i32) {
var total0 = 0.0;
var total1 = 0.0;
for (var e_first = lid; e_first < d0; e_first += 4 * WG) {
var o0_next: array<f32, 4>;
var o1_next: array<f32, 4>;
for (var u = 0; u < 4; u++) {
let e = min(e_first + u * WG, d0 - 1);
let c0 = e;
o0_next[u] = loadF(p0 + c0);
o1_next[u] = loadF(p1 + c0);
}
for (var u = 0; u < 4; u++) {
let e = e_first + u * WG;
if (e < d0) {
let c0 = e;
let o0 = o0_next[u];
let o1 = o1_next[u];

total0 = total0 + o0;
total1 = total1 + o1;
}
}
}
let all0 = sumOver(total0);
if (lid == 0) { storeF(r0, all0); }
workgroupBarrier();
let all1 = sumOver(total1);
if (lid == 0) { storeF(r1, all1); }
workgroupBarrier();
}

// greater
fn k5(p0: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
var v1 = bitcast<f32>(0x40800000u);
let v2 = (o0 > v1);
storeB(s0 + e, v2);
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
k1(table[at + 0], table[at + 1], table[at + 2]);
storageBarrier();
at += 3;
}
}
if (stage <= 3) {
var i0 = 0;
var count_i0 = 0;
if (stage >= 2) {
i0 = memberWord(record + 3);
count_i0 = memberWord(record + 4);
} else {
count_i0 = 5;
}
k2(table[base + 4], table[base + 5], table[base + 6], table[base + 6]);
workgroupBarrier();
for (; i0 < count_i0; i0++) {
if (stage <= 2) {
if (limit > 0 && spent >= limit) {
suspend(record, left, 2, i0, count_i0, 0, 0);
return;
}
stage = 0;
spent += table[base + 8];
}
if (stage <= 3) {
{
var at = base + RECORDS + 3;
k0(table[at + 0], table[at + 1], table[at + 2], table[at + 3], table[at + 4], table[at + 5], table[at + 6]);
storageBarrier();
at += 7;
k3(table[at + 0], table[at + 1], table[at + 2], table[at + 3]);
storageBarrier();
at += 4;
k4(table[at + 0], table[at + 1], table[at + 2], table[at + 3], table[at + 4]);
storageBarrier();
at += 5;
k5(table[at + 0], table[at + 1]);
storageBarrier();
at += 2;
k1(table[at + 0] + i0 * 1, table[at + 1], 1);
storageBarrier();
at += 2;
}
}
if (uniformLoad(table[base + 14]) != 0) { break; }
}
}
if (stage <= 4) {
if (limit > 0 && spent >= limit) {
suspend(record, left, 4, 0, 0, 0, 0);
return;
}
stage = 0;
spent += table[base + 15];
{
var at = base + RECORDS + 23;
let times0 = 2;
for (var r0 = 0; r0 < times0; r0++) {
k1(table[at + 0], table[at + 1], table[at + 2]);
storageBarrier();
at += 3;
}
}
}
}
if (limit > 0) { suspend(record, 0, 0, 0, 0, 0, 0); }
}
