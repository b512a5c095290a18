// add
fn k(p0: i32, p1: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
let o1 = loadF(p1);
let v2 = (o0 + o1);
storeF(s0 + e, v2);
}
}

// argmax
fn k(out: i32, x: i32, rows: i32, width: i32) {
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

// batchMatmul false false
fn k(firstTo: i32, firstA: i32, firstB: i32, m: i32, n: i32, depth: i32, count: i32) {
for (var index = 0; index < count; index++) {
let to = firstTo + index * m * n;
let a = firstA + index * m * depth;
let b = firstB + index * depth * n;
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
}

// batchMatmul false true
fn k(firstTo: i32, firstA: i32, firstB: i32, m: i32, n: i32, depth: i32, count: i32) {
for (var index = 0; index < count; index++) {
let to = firstTo + index * m * n;
let a = firstA + index * m * depth;
let b = firstB + index * depth * n;
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
    let across0 = vec4<f32>(loadF(b + c0 * depth + (k + 0)), loadF(b + c1 * depth + (k + 0)), loadF(b + c2 * depth + (k + 0)), loadF(b + c3 * depth + (k + 0)));
    let down0_0 = loadF(a + r0 * depth + (k + 0));
    let down0_1 = loadF(a + r1 * depth + (k + 0));
    let down0_2 = loadF(a + r2 * depth + (k + 0));
    let down0_3 = loadF(a + r3 * depth + (k + 0));
    let across1 = vec4<f32>(loadF(b + c0 * depth + (k + 1)), loadF(b + c1 * depth + (k + 1)), loadF(b + c2 * depth + (k + 1)), loadF(b + c3 * depth + (k + 1)));
    let down1_0 = loadF(a + r0 * depth + (k + 1));
    let down1_1 = loadF(a + r1 * depth + (k + 1));
    let down1_2 = loadF(a + r2 * depth + (k + 1));
    let down1_3 = loadF(a + r3 * depth + (k + 1));
    let across2 = vec4<f32>(loadF(b + c0 * depth + (k + 2)), loadF(b + c1 * depth + (k + 2)), loadF(b + c2 * depth + (k + 2)), loadF(b + c3 * depth + (k + 2)));
    let down2_0 = loadF(a + r0 * depth + (k + 2));
    let down2_1 = loadF(a + r1 * depth + (k + 2));
    let down2_2 = loadF(a + r2 * depth + (k + 2));
    let down2_3 = loadF(a + r3 * depth + (k + 2));
    let across3 = vec4<f32>(loadF(b + c0 * depth + (k + 3)), loadF(b + c1 * depth + (k + 3)), loadF(b + c2 * depth + (k + 3)), loadF(b + c3 * depth + (k + 3)));
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
    let across = vec4<f32>(loadF(b + c0 * depth + k), loadF(b + c1 * depth + k), loadF(b + c2 * depth + k), loadF(b + c3 * depth + k));
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
}

// batchMatmul true false
fn k(firstTo: i32, firstA: i32, firstB: i32, m: i32, n: i32, depth: i32, count: i32) {
for (var index = 0; index < count; index++) {
let to = firstTo + index * m * n;
let a = firstA + index * m * depth;
let b = firstB + index * depth * n;
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
}

// bitAnd
fn k(p0: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadU(p0 + c0);
var v1 = 3221209087u;
let v2 = (o0 & v1);
storeU(s0 + e, v2);
}
}

// broadcast
fn k(p0: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0);
let v1 = o0;
storeF(s0 + e, v1);
}
}

// constant
fn k(s0: i32) {
for (var e = lid; e < 1; e += WG) {


var v0 = bitcast<f32>(0x3f800000u);
storeF(s0 + e, v0);
}
}

// copy
fn k(to: i32, source: i32, words: i32) {
for (var i = lid; i < words; i += WG) {
  heap[to + i] = heap[source + i];
}
}

// cumulativeSum
fn k(out: i32, x: i32, rows: i32, width: i32) {
for (var r = lid; r < rows; r += WG) {
  var total = 0.0;
  for (var j = 0; j < width; j++) {
    let at = r * width + j;
    total += loadF(x + at);
    storeF(out + at, total);
  }
}
}

// dimValue f32
fn k(out: i32, value: i32) {
if (lid == 0) { storeF(out, f32(value)); }
}

// dimValue i32
fn k(out: i32, value: i32) {
if (lid == 0) { storeI(out, value); }
}

// div
fn k(p0: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
var v1 = bitcast<f32>(0x3f800000u);
let v2 = (v1 / o0);
storeF(s0 + e, v2);
}
}

// foldPatches 1
fn k(to: i32, source: i32, images: i32, channels: i32, length0: i32, places0: i32, size0: i32, stride0: i32) {
for (var e = lid; e < images * length0 * channels; e += WG) {
  var rest = e / channels;
  let y0 = rest % length0; rest /= length0;
  var total = 0.0;
  for (var o0 = select(0, (y0 - size0) / stride0 + 1, y0 >= size0); o0 <= min(y0 / stride0, places0 - 1); o0++) {
    var at = rest;
    at = at * places0 + o0;
    at = at * size0 + y0 - o0 * stride0;
    total += loadF(source + at * channels + e % channels);
  }
  storeF(to + e, total);
}
}

// foldPatches 2
fn k(to: i32, source: i32, images: i32, channels: i32, length0: i32, places0: i32, size0: i32, stride0: i32, length1: i32, places1: i32, size1: i32, stride1: i32) {
for (var e = lid; e < images * length0 * length1 * channels; e += WG) {
  var rest = e / channels;
  let y1 = rest % length1; rest /= length1;
  let y0 = rest % length0; rest /= length0;
  var total = 0.0;
  for (var o0 = select(0, (y0 - size0) / stride0 + 1, y0 >= size0); o0 <= min(y0 / stride0, places0 - 1); o0++) {
  for (var o1 = select(0, (y1 - size1) / stride1 + 1, y1 >= size1); o1 <= min(y1 / stride1, places1 - 1); o1++) {
    var at = rest;
    at = at * places0 + o0;
    at = at * places1 + o1;
    at = at * size0 + y0 - o0 * stride0;
    at = at * size1 + y1 - o1 * stride1;
    total += loadF(source + at * channels + e % channels);
  }
  }
  storeF(to + e, total);
}
}

// foldPatches 3
fn k(to: i32, source: i32, images: i32, channels: i32, length0: i32, places0: i32, size0: i32, stride0: i32, length1: i32, places1: i32, size1: i32, stride1: i32, length2: i32, places2: i32, size2: i32, stride2: i32) {
for (var e = lid; e < images * length0 * length1 * length2 * channels; e += WG) {
  var rest = e / channels;
  let y2 = rest % length2; rest /= length2;
  let y1 = rest % length1; rest /= length1;
  let y0 = rest % length0; rest /= length0;
  var total = 0.0;
  for (var o0 = select(0, (y0 - size0) / stride0 + 1, y0 >= size0); o0 <= min(y0 / stride0, places0 - 1); o0++) {
  for (var o1 = select(0, (y1 - size1) / stride1 + 1, y1 >= size1); o1 <= min(y1 / stride1, places1 - 1); o1++) {
  for (var o2 = select(0, (y2 - size2) / stride2 + 1, y2 >= size2); o2 <= min(y2 / stride2, places2 - 1); o2++) {
    var at = rest;
    at = at * places0 + o0;
    at = at * places1 + o1;
    at = at * places2 + o2;
    at = at * size0 + y0 - o0 * stride0;
    at = at * size1 + y1 - o1 * stride1;
    at = at * size2 + y2 - o2 * stride2;
    total += loadF(source + at * channels + e % channels);
  }
  }
  }
  storeF(to + e, total);
}
}

// greaterEqual
fn k(p0: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let v1 = (o0 >= o0);
storeB(s0 + e, v1);
}
}

// iota
fn k(out: i32, n: i32) {
for (var i = lid; i < n; i += WG) {
  storeI(out + i, i);
}
}

// matmul false false false
fn k(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32) {
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

// matmul false false true
fn k(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32, bias: i32) {
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

// matmul false true false
fn k(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32) {
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
    let across0 = vec4<f32>(loadF(b + c0 * depth + (k + 0)), loadF(b + c1 * depth + (k + 0)), loadF(b + c2 * depth + (k + 0)), loadF(b + c3 * depth + (k + 0)));
    let down0_0 = loadF(a + r0 * depth + (k + 0));
    let down0_1 = loadF(a + r1 * depth + (k + 0));
    let down0_2 = loadF(a + r2 * depth + (k + 0));
    let down0_3 = loadF(a + r3 * depth + (k + 0));
    let across1 = vec4<f32>(loadF(b + c0 * depth + (k + 1)), loadF(b + c1 * depth + (k + 1)), loadF(b + c2 * depth + (k + 1)), loadF(b + c3 * depth + (k + 1)));
    let down1_0 = loadF(a + r0 * depth + (k + 1));
    let down1_1 = loadF(a + r1 * depth + (k + 1));
    let down1_2 = loadF(a + r2 * depth + (k + 1));
    let down1_3 = loadF(a + r3 * depth + (k + 1));
    let across2 = vec4<f32>(loadF(b + c0 * depth + (k + 2)), loadF(b + c1 * depth + (k + 2)), loadF(b + c2 * depth + (k + 2)), loadF(b + c3 * depth + (k + 2)));
    let down2_0 = loadF(a + r0 * depth + (k + 2));
    let down2_1 = loadF(a + r1 * depth + (k + 2));
    let down2_2 = loadF(a + r2 * depth + (k + 2));
    let down2_3 = loadF(a + r3 * depth + (k + 2));
    let across3 = vec4<f32>(loadF(b + c0 * depth + (k + 3)), loadF(b + c1 * depth + (k + 3)), loadF(b + c2 * depth + (k + 3)), loadF(b + c3 * depth + (k + 3)));
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
    let across = vec4<f32>(loadF(b + c0 * depth + k), loadF(b + c1 * depth + k), loadF(b + c2 * depth + k), loadF(b + c3 * depth + k));
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

// matmul false true true
fn k(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32, bias: i32) {
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
    let across0 = vec4<f32>(loadF(b + c0 * depth + (k + 0)), loadF(b + c1 * depth + (k + 0)), loadF(b + c2 * depth + (k + 0)), loadF(b + c3 * depth + (k + 0)));
    let down0_0 = loadF(a + r0 * depth + (k + 0));
    let down0_1 = loadF(a + r1 * depth + (k + 0));
    let down0_2 = loadF(a + r2 * depth + (k + 0));
    let down0_3 = loadF(a + r3 * depth + (k + 0));
    let across1 = vec4<f32>(loadF(b + c0 * depth + (k + 1)), loadF(b + c1 * depth + (k + 1)), loadF(b + c2 * depth + (k + 1)), loadF(b + c3 * depth + (k + 1)));
    let down1_0 = loadF(a + r0 * depth + (k + 1));
    let down1_1 = loadF(a + r1 * depth + (k + 1));
    let down1_2 = loadF(a + r2 * depth + (k + 1));
    let down1_3 = loadF(a + r3 * depth + (k + 1));
    let across2 = vec4<f32>(loadF(b + c0 * depth + (k + 2)), loadF(b + c1 * depth + (k + 2)), loadF(b + c2 * depth + (k + 2)), loadF(b + c3 * depth + (k + 2)));
    let down2_0 = loadF(a + r0 * depth + (k + 2));
    let down2_1 = loadF(a + r1 * depth + (k + 2));
    let down2_2 = loadF(a + r2 * depth + (k + 2));
    let down2_3 = loadF(a + r3 * depth + (k + 2));
    let across3 = vec4<f32>(loadF(b + c0 * depth + (k + 3)), loadF(b + c1 * depth + (k + 3)), loadF(b + c2 * depth + (k + 3)), loadF(b + c3 * depth + (k + 3)));
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
    let across = vec4<f32>(loadF(b + c0 * depth + k), loadF(b + c1 * depth + k), loadF(b + c2 * depth + k), loadF(b + c3 * depth + k));
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

// matmul true false false
fn k(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32) {
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

// matmul true false true
fn k(to: i32, a: i32, b: i32, m: i32, n: i32, depth: i32, bias: i32) {
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

// max
fn k(p0: i32, to: i32, outer: i32, axis: i32, inner: i32) {
for (var e = lid; e < outer * inner; e += WG) {
let o = e / inner;
let j = e % inner;
var total = (-infinity());
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

total = select(total, x0, total < x0);
}
}
}
storeF(to + e, total);
}
}

// mul
fn k(p0: i32, p1: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
let v2 = (o0 * o1);
storeF(s0 + e, v2);
}
}

// not
fn k(p0: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadB(p0 + c0);
let v1 = (!o0);
storeB(s0 + e, v1);
}
}

// packBytes
fn k(to: i32, source: i32, rows: i32, bytes: i32) {
let words = (bytes + 3) / 4;
for (var e = lid; e < rows * words; e += WG) {
  let first = (e % words) * 4;
  var word = 0u;
  for (var j = 0; j < min(4, bytes - first); j++) {
    let byte = clamp(truncated(loadF(source + (e / words) * bytes + first + j)), 0, 255);
    word |= u32(byte) << u32(8 * j);
  }
  storeU(to + e, word);
}
}

// patches 1
fn k(to: i32, source: i32, images: i32, channels: i32, length0: i32, places0: i32, size0: i32, stride0: i32) {
for (var e = lid; e < images * places0 * size0 * channels; e += WG) {
  var rest = e / channels;
  let k0 = rest % size0; rest /= size0;
  let y0 = (rest % places0) * stride0 + k0; rest /= places0;
  var at = rest;
  at = at * length0 + y0;
  heap[to + e] = heap[source + at * channels + e % channels];
}
}

// patches 2
fn k(to: i32, source: i32, images: i32, channels: i32, length0: i32, places0: i32, size0: i32, stride0: i32, length1: i32, places1: i32, size1: i32, stride1: i32) {
for (var e = lid; e < images * places0 * size0 * places1 * size1 * channels; e += WG) {
  var rest = e / channels;
  let k1 = rest % size1; rest /= size1;
  let k0 = rest % size0; rest /= size0;
  let y1 = (rest % places1) * stride1 + k1; rest /= places1;
  let y0 = (rest % places0) * stride0 + k0; rest /= places0;
  var at = rest;
  at = at * length0 + y0;
  at = at * length1 + y1;
  heap[to + e] = heap[source + at * channels + e % channels];
}
}

// patches 3
fn k(to: i32, source: i32, images: i32, channels: i32, length0: i32, places0: i32, size0: i32, stride0: i32, length1: i32, places1: i32, size1: i32, stride1: i32, length2: i32, places2: i32, size2: i32, stride2: i32) {
for (var e = lid; e < images * places0 * size0 * places1 * size1 * places2 * size2 * channels; e += WG) {
  var rest = e / channels;
  let k2 = rest % size2; rest /= size2;
  let k1 = rest % size1; rest /= size1;
  let k0 = rest % size0; rest /= size0;
  let y2 = (rest % places2) * stride2 + k2; rest /= places2;
  let y1 = (rest % places1) * stride1 + k1; rest /= places1;
  let y0 = (rest % places0) * stride0 + k0; rest /= places0;
  var at = rest;
  at = at * length0 + y0;
  at = at * length1 + y1;
  at = at * length2 + y2;
  heap[to + e] = heap[source + at * channels + e % channels];
}
}

// permutation
fn k(out: i32, n: i32, key: i32) {
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

// permute 0 2 1
fn k(to: i32, source: i32, size0: i32, size1: i32, size2: i32) {
for (var e = lid; e < size0 * size1 * size2; e += WG) {
  var rest = e;
  let i1 = rest % size1; rest /= size1;
  let i2 = rest % size2; rest /= size2;
  let i0 = rest % size0; rest /= size0;
  heap[to + e] = heap[source + ((i0) * size1 + i1) * size2 + i2];
}
}

// permute 0 2 1 3
fn k(to: i32, source: i32, size0: i32, size1: i32, size2: i32, size3: i32) {
for (var e = lid; e < size0 * size1 * size2 * size3; e += WG) {
  var rest = e;
  let i3 = rest % size3; rest /= size3;
  let i1 = rest % size1; rest /= size1;
  let i2 = rest % size2; rest /= size2;
  let i0 = rest % size0; rest /= size0;
  heap[to + e] = heap[source + (((i0) * size1 + i1) * size2 + i2) * size3 + i3];
}
}

// permute 1 0
fn k(to: i32, source: i32, size0: i32, size1: i32) {
for (var e = lid; e < size0 * size1; e += WG) {
  var rest = e;
  let i0 = rest % size0; rest /= size0;
  let i1 = rest % size1; rest /= size1;
  heap[to + e] = heap[source + (i0) * size1 + i1];
}
}

// permute 1 0 2
fn k(to: i32, source: i32, size0: i32, size1: i32, size2: i32) {
for (var e = lid; e < size0 * size1 * size2; e += WG) {
  var rest = e;
  let i2 = rest % size2; rest /= size2;
  let i0 = rest % size0; rest /= size0;
  let i1 = rest % size1; rest /= size1;
  heap[to + e] = heap[source + ((i0) * size1 + i1) * size2 + i2];
}
}

// permute 1 0 3 2
fn k(to: i32, source: i32, size0: i32, size1: i32, size2: i32, size3: i32) {
for (var e = lid; e < size0 * size1 * size2 * size3; e += WG) {
  var rest = e;
  let i2 = rest % size2; rest /= size2;
  let i3 = rest % size3; rest /= size3;
  let i0 = rest % size0; rest /= size0;
  let i1 = rest % size1; rest /= size1;
  heap[to + e] = heap[source + (((i0) * size1 + i1) * size2 + i2) * size3 + i3];
}
}

// permute 2 1 0
fn k(to: i32, source: i32, size0: i32, size1: i32, size2: i32) {
for (var e = lid; e < size0 * size1 * size2; e += WG) {
  var rest = e;
  let i0 = rest % size0; rest /= size0;
  let i1 = rest % size1; rest /= size1;
  let i2 = rest % size2; rest /= size2;
  heap[to + e] = heap[source + ((i0) * size1 + i1) * size2 + i2];
}
}

// rowMean
fn k(out: i32, x: i32, rows: i32, width: i32) {
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
fn k(out: i32, x: i32, rows: i32, width: i32, means: i32) {
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

// select
fn k(p0: i32, p1: i32, p2: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadB(p0 + c0);
let o1 = loadI(p1 + c0);
let o2 = loadI(p2 + c0);
let v3 = select(o2, o1, o0);
storeI(s0 + e, v3);
}
}

// shiftRight
fn k(p0: i32, s0: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadU(p0 + c0);
let v1 = (o0 >> 3u);
storeU(s0 + e, v1);
}
}

// stridedCopy
fn k(to: i32, source: i32, rows: i32, width: i32, toWidth: i32, fromWidth: i32, toStart: i32, fromStart: i32) {
for (var i = lid; i < rows * width; i += WG) {
  heap[to + (i / width) * toWidth + toStart + i % width] = heap[source + (i / width) * fromWidth + fromStart + i % width];
}
}

// sum
fn k(p0: i32, to: i32, outer: i32, axis: i32, inner: i32) {
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

// sumRowsAt
fn k(out: i32, x: i32, index: i32, rows: i32, length: i32, places: i32) {
for (var j = lid; j < length; j += WG) {
  for (var p = 0; p < places; p++) { storeF(out + p * length + j, 0.0); }
  for (var r = 0; r < rows; r++) {
    let at = out + loadI(index + r) * length + j;
    storeF(at, loadF(at) + loadF(x + r * length + j));
  }
}
}

// takeRows
fn k(out: i32, x: i32, index: i32, rows: i32, length: i32) {
for (var i = lid; i < rows * length; i += WG) {
  heap[out + i] = heap[x + loadI(index + i / length) * length + i % length];
}
}

// transpose
fn k(to: i32, source: i32, rows: i32, columns: i32) {
for (var i = lid; i < rows * columns; i += WG) {
  heap[to + i] = heap[source + (i % rows) * columns + i / rows];
}
}

// unpackBytes
fn k(to: i32, source: i32, rows: i32, bytes: i32) {
let words = (bytes + 3) / 4;
for (var e = lid; e < rows * bytes; e += WG) {
  let j = e % bytes;
  storeF(to + e, f32((loadU(source + (e / bytes) * words + j / 4) >> u32(8 * (j % 4))) & 255u));
}
}

// unpackHalves
fn k(to: i32, source: i32, count: i32) {
for (var e = lid; e < count / 2; e += WG) {
  let pair = unpack2x16float(loadU(source + e)) / 256.0;
  storeF(to + 2 * e, pair.x);
  storeF(to + 2 * e + 1, pair.y);
}
}

// unpackInt8
fn k(to: i32, source: i32, count: i32) {
for (var e = lid; e < count; e += WG) {
  storeF(to + e, f32(extractBits(bitcast<i32>(loadU(source + e / 4)), u32(8 * (e % 4)), 8u)));
}
}

// writeRows
fn k(to: i32, index: i32, rows: i32, count: i32, length: i32) {
for (var j = lid; j < length; j += WG) {
  for (var i = 0; i < count; i++) { heap[to + loadI(index + i) * length + j] = heap[rows + i * length + j]; }
}
}
