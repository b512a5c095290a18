// PPO.step
// dimValue i32
fn k0(out: i32, value: i32) {
if (lid == 0) { storeI(out, value); }
}

// dimValue f32
fn k1(out: i32, value: i32) {
if (lid == 0) { storeF(out, f32(value)); }
}

// iota
fn k2(out: i32, n: i32) {
for (var i = lid; i < n; i += WG) {
  storeI(out + i, i);
}
}

// permutation
fn k3(out: i32, n: i32, key: i32) {
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

// greater mul select greater mul select greater mul select greater mul select greater mul select
fn k4(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, r0: i32, r1: i32, r2: i32, r3: i32, r4: i32, r5: i32, d0: i32) {
var total0 = 0.0;
var total1 = 0.0;
var total2 = 0.0;
var total3 = 0.0;
var total4 = 0.0;
var total5 = 0.0;
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2 + c0);
let o3 = loadF(p3 + c0);
let o4 = loadF(p4 + c0);
let o5 = loadF(p5 + c0);
var v6 = bitcast<f32>(0x0u);
let v7 = (o0 > v6);
let v8 = (o1 * o0);
var v9 = bitcast<f32>(0x0u);
let v10 = select(v9, v8, v7);
var v11 = bitcast<f32>(0x0u);
let v12 = (o0 > v11);
let v13 = (o2 * o0);
var v14 = bitcast<f32>(0x0u);
let v15 = select(v14, v13, v12);
var v16 = bitcast<f32>(0x0u);
let v17 = (o0 > v16);
let v18 = (o3 * o0);
var v19 = bitcast<f32>(0x0u);
let v20 = select(v19, v18, v17);
var v21 = bitcast<f32>(0x0u);
let v22 = (o0 > v21);
let v23 = (o4 * o0);
var v24 = bitcast<f32>(0x0u);
let v25 = select(v24, v23, v22);
var v26 = bitcast<f32>(0x0u);
let v27 = (o0 > v26);
let v28 = (o5 * o0);
var v29 = bitcast<f32>(0x0u);
let v30 = select(v29, v28, v27);
total0 = total0 + o0;
total1 = total1 + v10;
total2 = total2 + v15;
total3 = total3 + v20;
total4 = total4 + v25;
total5 = total5 + v30;
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
let all5 = sumOver(total5);
if (lid == 0) { storeF(r5, all5); }
workgroupBarrier();
}

// greater greater greater greater greater greater
fn k5(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2 + c0);
let o3 = loadF(p3 + c0);
let o4 = loadF(p4 + c0);
let o5 = loadF(p5 + c0);
var v6 = bitcast<f32>(0x0u);
let v7 = (o0 > v6);
var v8 = bitcast<f32>(0x0u);
let v9 = (o1 > v8);
var v10 = bitcast<f32>(0x0u);
let v11 = (o2 > v10);
var v12 = bitcast<f32>(0x0u);
let v13 = (o3 > v12);
var v14 = bitcast<f32>(0x0u);
let v15 = (o4 > v14);
var v16 = bitcast<f32>(0x0u);
let v17 = (o5 > v16);
storeB(s0 + e, v7);
storeB(s1 + e, v9);
storeB(s2 + e, v11);
storeB(s3 + e, v13);
storeB(s4 + e, v15);
storeB(s5 + e, v17);
}
}

// mul select sum
fn k6(p0: i32, p1: i32, p2: i32, to: i32, outer: i32, axis: i32, inner: i32) {
for (var e = lid; e < outer * inner; e += WG) {
let o = e / inner;
let j = e % inner;
var total = 0.0;
for (var a = 0; a < axis; a++) {
let x0 = loadB(p0 + a);
let x1 = loadF(p1 + a * inner + j);
let x2 = loadF(p2 + a);
let v3 = (x1 * x2);
var v4 = bitcast<f32>(0x0u);
let v5 = select(v4, v3, x0);
total = total + v5;
}
storeF(to + e, total);
}
}

// div mul
fn k7(p0: i32, p1: i32, s0: i32, s1: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1);
let v2 = (o0 / o1);
let v3 = (v2 * v2);
storeF(s0 + e, v3);
storeF(s1 + e, v2);
}
}

// greater greater greater greater greater greater greater greater greater greater greater
fn k8(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, p9: i32, p10: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32, s6: i32, s7: i32, s8: i32, s9: i32, s10: i32, d0: i32) {
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1 + c0);
let o2 = loadF(p2 + c0);
let o3 = loadF(p3 + c0);
let o4 = loadF(p4 + c0);
let o5 = loadF(p5 + c0);
let o6 = loadF(p6 + c0);
let o7 = loadF(p7 + c0);
let o8 = loadF(p8 + c0);
let o9 = loadF(p9 + c0);
let o10 = loadF(p10 + c0);
var v11 = bitcast<f32>(0x0u);
let v12 = (o0 > v11);
var v13 = bitcast<f32>(0x0u);
let v14 = (o1 > v13);
var v15 = bitcast<f32>(0x0u);
let v16 = (o2 > v15);
var v17 = bitcast<f32>(0x0u);
let v18 = (o3 > v17);
var v19 = bitcast<f32>(0x0u);
let v20 = (o4 > v19);
var v21 = bitcast<f32>(0x0u);
let v22 = (o5 > v21);
var v23 = bitcast<f32>(0x0u);
let v24 = (o6 > v23);
var v25 = bitcast<f32>(0x0u);
let v26 = (o7 > v25);
var v27 = bitcast<f32>(0x0u);
let v28 = (o8 > v27);
var v29 = bitcast<f32>(0x0u);
let v30 = (o9 > v29);
var v31 = bitcast<f32>(0x0u);
let v32 = (o10 > v31);
storeB(s0 + e, v12);
storeB(s1 + e, v14);
storeB(s2 + e, v16);
storeB(s3 + e, v18);
storeB(s4 + e, v20);
storeB(s5 + e, v22);
storeB(s6 + e, v24);
storeB(s7 + e, v26);
storeB(s8 + e, v28);
storeB(s9 + e, v30);
storeB(s10 + e, v32);
}
}

// div mul
fn k9(p0: i32, p1: i32, s0: i32, r0: i32, d0: i32) {
var total0 = 0.0;
for (var e = lid; e < d0; e += WG) {
let c0 = e;
let o0 = loadF(p0 + c0);
let o1 = loadF(p1);
let v2 = (o0 / o1);
let v3 = (v2 * v2);
storeF(s0 + e, v2);
total0 = total0 + v3;
}
let all0 = sumOver(total0);
if (lid == 0) { storeF(r0, all0); }
workgroupBarrier();
}

// greater mul select sum
fn k10(p0: i32, p1: i32, to: i32, outer: i32, axis: i32, inner: i32) {
for (var e = lid; e < outer * inner; e += WG) {
let o = e / inner;
let j = e % inner;
var total = 0.0;
for (var a = 0; a < axis; a++) {
let x0 = loadF(p0 + a);
let x1 = loadF(p1 + a);
var v2 = bitcast<f32>(0x0u);
let v3 = (x0 > v2);
let v4 = (x1 * x0);
var v5 = bitcast<f32>(0x0u);
let v6 = select(v5, v4, v3);
total = total + v6;
}
storeF(to + e, total);
}
}

// div div div div add add add add
fn k11(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, s0: i32, s1: i32, s2: i32, s3: i32) {
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
let v9 = (o0 / o1);
let v10 = (o2 / o1);
let v11 = (o3 / o1);
let v12 = (o4 / o1);
let v13 = (o5 + v9);
let v14 = (o6 + v10);
let v15 = (o7 + v11);
let v16 = (o8 + v12);
storeF(s0 + e, v13);
storeF(s1 + e, v14);
storeF(s2 + e, v15);
storeF(s3 + e, v16);
}
}

// constant
fn k12(p0: i32, r0: i32, d0: i32) {
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

// add add add add add add add add add add add sqrt add div minimum
fn k13(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, p9: i32, p10: i32, p11: i32, p12: i32, s0: i32) {
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
fn k14(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, s1: i32, s2: i32, s3: i32, d0: i32) {
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
fn k15(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32, s6: i32, s7: i32, d0: i32) {
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

// add add add add add sqrt add div minimum mul mul sub div sub sqrt div add div add add
fn k16(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, p9: i32, p10: i32, p11: i32, p12: i32, p13: i32, p14: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32, s6: i32, s7: i32) {
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
let o11 = loadF(p11);
let o12 = loadF(p12);
let o13 = loadF(p13);
let o14 = loadI(p14);
let v15 = (o0 + o1);
let v16 = (v15 + o2);
let v17 = (v16 + o3);
let v18 = (v17 + o4);
let v19 = (v18 + o5);
let v20 = sqrt(v19);
var v21 = bitcast<f32>(0x358637bdu);
let v22 = (v20 + v21);
let v23 = (o6 / v22);
var v24 = bitcast<f32>(0x3f800000u);
let v25 = select(v23, v24, v24 < v23);
var v26 = bitcast<f32>(0x3f666666u);
let v27 = (o7 * v26);
var v28 = bitcast<f32>(0x3f7fbe77u);
let v29 = (o8 * v28);
var v30 = bitcast<f32>(0x3f800000u);
let v31 = (v30 - v27);
let v32 = (o9 / v31);
var v33 = bitcast<f32>(0x3f800000u);
let v34 = (v33 - v29);
let v35 = sqrt(v34);
var v36 = bitcast<f32>(0x3f800000u);
let v37 = (v36 / v35);
var v38 = i32(1);
let v39 = (o10 + v38);
let v40 = (o11 / o12);
let v41 = (o13 + v40);
var v42 = i32(1);
let v43 = (o14 + v42);
storeF(s0 + e, v25);
storeF(s1 + e, v27);
storeF(s2 + e, v29);
storeF(s3 + e, v32);
storeF(s4 + e, v37);
storeI(s5 + e, v39);
storeI(s6 + e, v43);
storeF(s7 + e, v41);
}
}

// mul mul mul add mul mul mul add mul sqrt mul add div sub
fn k17(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, s0: i32, s1: i32, s2: i32, d0: i32) {
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
fn k18(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, p9: i32, p10: i32, p11: i32, p12: i32, p13: i32, p14: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32, s6: i32, s7: i32, s8: i32, d0: i32) {
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
fn k19(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, s0: i32, s1: i32, s2: i32) {
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
fn k20(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, s0: i32, d0: i32) {
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
fn k21(p0: i32, p1: i32, p2: i32, p3: i32, p4: i32, p5: i32, p6: i32, p7: i32, p8: i32, p9: i32, p10: i32, p11: i32, p12: i32, p13: i32, p14: i32, s0: i32, s1: i32, s2: i32, s3: i32, s4: i32, s5: i32, s6: i32, d0: i32) {
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

// equal select select cast
fn k22(p0: i32, p1: i32, p2: i32, s0: i32, s1: i32, s2: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadI(p0);
let o1 = loadI(p1);
let o2 = loadF(p2);
let v3 = (o0 == o1);
var v4 = bitcast<f32>(0x0u);
let v5 = select(o2, v4, v3);
var v6 = i32(0);
let v7 = select(o0, v6, v3);
let v8 = select(i32(0), i32(1), v3);
storeF(s0 + e, v5);
storeI(s1 + e, v7);
storeI(s2 + e, v8);
}
}

// add greaterEqual
fn k23(p0: i32, p1: i32, s0: i32, s1: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadI(p0);
let o1 = loadI(p1);
var v2 = i32(1);
let v3 = (o0 + v2);
let v4 = (v3 >= o1);
storeI(s0 + e, v3);
storeB(s1 + e, v4);
}
}

// div greater or select cast
fn k24(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32) {
for (var e = lid; e < 1; e += WG) {

let o0 = loadF(p0);
let o1 = loadF(p1);
let o2 = loadF(p2);
let o3 = loadB(p3);
let v4 = (o0 / o1);
let v5 = (v4 > o2);
let v6 = (o3 || v5);
var v7 = bitcast<f32>(0x0u);
var v8 = bitcast<f32>(0x3f800000u);
let v9 = select(v8, v7, v6);
let v10 = truncated(v9);
storeI(s0 + e, v10);
}
}

// bitXor mul add mul add mul add add
fn k25(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32, s1: i32, s2: i32, s3: i32) {
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
fn k26(p0: i32, p1: i32, p2: i32, p3: i32, s0: i32) {
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

// copy
fn k27(to: i32, source: i32, words: i32) {
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
if (stage <= 4) {
var i0 = 0;
var count_i0 = 0;
if (stage >= 1) {
i0 = memberWord(record + 3);
count_i0 = memberWord(record + 4);
} else {
count_i0 = uniformLoad(table[base + 0]);
}
for (; i0 < count_i0; i0++) {
if (stage <= 1) {
if (limit > 0 && spent >= limit) {
suspend(record, left, 1, i0, count_i0, 0, 0);
return;
}
stage = 0;
spent += table[base + 1];
}
if (stage <= 2) {
k4(table[base + 2], table[base + 3], table[base + 4], table[base + 5], table[base + 6], table[base + 7], table[base + 8], table[base + 9], table[base + 10], table[base + 11], table[base + 12], table[base + 13], table[base + 14]);
storageBarrier();
k5(table[base + 2], table[base + 2], table[base + 2], table[base + 2], table[base + 2], table[base + 2], table[base + 15], table[base + 16], table[base + 17], table[base + 18], table[base + 19], table[base + 20], table[base + 14]);
storageBarrier();
k6(table[base + 15], table[base + 21], table[base + 2], table[base + 22], 1, table[base + 14], table[base + 23]);
storageBarrier();
k7(table[base + 22], table[base + 8], table[base + 24], table[base + 25], table[base + 23]);
storageBarrier();
k8(table[base + 2], table[base + 2], table[base + 2], table[base + 2], table[base + 2], table[base + 2], table[base + 2], table[base + 2], table[base + 2], table[base + 2], table[base + 2], table[base + 26], table[base + 27], table[base + 28], table[base + 29], table[base + 30], table[base + 31], table[base + 32], table[base + 33], table[base + 34], table[base + 35], table[base + 36], table[base + 14]);
storageBarrier();
k6(table[base + 26], table[base + 37], table[base + 2], table[base + 38], 1, table[base + 14], table[base + 39]);
storageBarrier();
k9(table[base + 38], table[base + 8], table[base + 40], table[base + 41], table[base + 39]);
storageBarrier();
k6(table[base + 27], table[base + 42], table[base + 2], table[base + 43], 1, table[base + 14], table[base + 39]);
storageBarrier();
k9(table[base + 43], table[base + 8], table[base + 44], table[base + 45], table[base + 39]);
storageBarrier();
k6(table[base + 28], table[base + 46], table[base + 2], table[base + 47], 1, table[base + 14], table[base + 39]);
storageBarrier();
k9(table[base + 47], table[base + 8], table[base + 48], table[base + 49], table[base + 39]);
storageBarrier();
k6(table[base + 16], table[base + 50], table[base + 2], table[base + 51], 1, table[base + 14], table[base + 52]);
storageBarrier();
k7(table[base + 51], table[base + 8], table[base + 53], table[base + 54], table[base + 52]);
storageBarrier();
k6(table[base + 29], table[base + 55], table[base + 2], table[base + 56], 1, table[base + 14], table[base + 57]);
storageBarrier();
k9(table[base + 56], table[base + 8], table[base + 58], table[base + 59], table[base + 57]);
storageBarrier();
k6(table[base + 17], table[base + 60], table[base + 2], table[base + 61], 1, table[base + 14], table[base + 62]);
storageBarrier();
k7(table[base + 61], table[base + 8], table[base + 63], table[base + 64], table[base + 62]);
storageBarrier();
k6(table[base + 30], table[base + 65], table[base + 2], table[base + 66], 1, table[base + 14], table[base + 67]);
storageBarrier();
k9(table[base + 66], table[base + 8], table[base + 68], table[base + 69], table[base + 67]);
storageBarrier();
k6(table[base + 31], table[base + 70], table[base + 2], table[base + 71], 1, table[base + 14], table[base + 67]);
storageBarrier();
k9(table[base + 71], table[base + 8], table[base + 72], table[base + 73], table[base + 67]);
storageBarrier();
k6(table[base + 32], table[base + 74], table[base + 2], table[base + 75], 1, table[base + 14], table[base + 67]);
storageBarrier();
k9(table[base + 75], table[base + 8], table[base + 76], table[base + 77], table[base + 67]);
storageBarrier();
k6(table[base + 18], table[base + 78], table[base + 2], table[base + 79], 1, table[base + 14], table[base + 80]);
storageBarrier();
k7(table[base + 79], table[base + 8], table[base + 81], table[base + 82], table[base + 80]);
storageBarrier();
k6(table[base + 33], table[base + 83], table[base + 2], table[base + 84], 1, table[base + 14], 2);
storageBarrier();
k9(table[base + 84], table[base + 8], table[base + 85], table[base + 86], 2);
storageBarrier();
k6(table[base + 19], table[base + 87], table[base + 2], table[base + 88], 1, table[base + 14], table[base + 89]);
storageBarrier();
k7(table[base + 88], table[base + 8], table[base + 90], table[base + 91], table[base + 89]);
storageBarrier();
k6(table[base + 34], table[base + 92], table[base + 2], table[base + 93], 1, table[base + 14], table[base + 94]);
storageBarrier();
k9(table[base + 93], table[base + 8], table[base + 95], table[base + 96], table[base + 94]);
storageBarrier();
k6(table[base + 35], table[base + 97], table[base + 2], table[base + 98], 1, table[base + 14], table[base + 94]);
storageBarrier();
k9(table[base + 98], table[base + 8], table[base + 99], table[base + 100], table[base + 94]);
storageBarrier();
k6(table[base + 36], table[base + 101], table[base + 2], table[base + 102], 1, table[base + 14], table[base + 94]);
storageBarrier();
k9(table[base + 102], table[base + 8], table[base + 103], table[base + 104], table[base + 94]);
storageBarrier();
k6(table[base + 20], table[base + 105], table[base + 2], table[base + 106], 1, table[base + 14], table[base + 94]);
storageBarrier();
k7(table[base + 106], table[base + 8], table[base + 107], table[base + 108], table[base + 94]);
storageBarrier();
k10(table[base + 2], table[base + 109], table[base + 110], 1, table[base + 14], 1);
storageBarrier();
k9(table[base + 110], table[base + 8], table[base + 111], table[base + 112], 1);
storageBarrier();
k11(table[base + 9], table[base + 8], table[base + 10], table[base + 11], table[base + 12], table[base + 113], table[base + 114], table[base + 115], table[base + 116], table[base + 113], table[base + 114], table[base + 115], table[base + 116]);
storageBarrier();
k12(table[base + 24], table[base + 117], table[base + 23]);
storageBarrier();
k12(table[base + 53], table[base + 118], table[base + 52]);
storageBarrier();
k12(table[base + 63], table[base + 119], table[base + 62]);
storageBarrier();
k12(table[base + 81], table[base + 120], table[base + 80]);
storageBarrier();
k13(table[base + 117], table[base + 41], table[base + 45], table[base + 49], table[base + 118], table[base + 59], table[base + 119], table[base + 69], table[base + 73], table[base + 77], table[base + 120], table[base + 86], table[base + 121], table[base + 122]);
storageBarrier();
k14(table[base + 25], table[base + 122], table[base + 123], table[base + 124], table[base + 125], table[base + 126], table[base + 123], table[base + 124], table[base + 23]);
storageBarrier();
k15(table[base + 40], table[base + 122], table[base + 44], table[base + 48], table[base + 127], table[base + 128], table[base + 129], table[base + 130], table[base + 127], table[base + 128], table[base + 131], table[base + 132], table[base + 133], table[base + 134], table[base + 39]);
storageBarrier();
k14(table[base + 54], table[base + 122], table[base + 135], table[base + 136], table[base + 137], table[base + 138], table[base + 135], table[base + 136], table[base + 52]);
storageBarrier();
k14(table[base + 58], table[base + 122], table[base + 139], table[base + 140], table[base + 141], table[base + 142], table[base + 139], table[base + 140], table[base + 57]);
storageBarrier();
k14(table[base + 64], table[base + 122], table[base + 143], table[base + 144], table[base + 145], table[base + 146], table[base + 143], table[base + 144], table[base + 62]);
storageBarrier();
k15(table[base + 68], table[base + 122], table[base + 72], table[base + 76], table[base + 147], table[base + 148], table[base + 149], table[base + 150], table[base + 147], table[base + 148], table[base + 151], table[base + 152], table[base + 153], table[base + 154], table[base + 67]);
storageBarrier();
k14(table[base + 82], table[base + 122], table[base + 155], table[base + 156], table[base + 157], table[base + 158], table[base + 155], table[base + 156], table[base + 80]);
storageBarrier();
k14(table[base + 85], table[base + 122], table[base + 159], table[base + 160], table[base + 161], table[base + 162], table[base + 159], table[base + 160], 2);
storageBarrier();
k12(table[base + 90], table[base + 163], table[base + 89]);
storageBarrier();
k12(table[base + 107], table[base + 164], table[base + 94]);
storageBarrier();
k16(table[base + 163], table[base + 96], table[base + 100], table[base + 104], table[base + 164], table[base + 112], table[base + 121], table[base + 165], table[base + 166], table[base + 167], table[base + 168], table[base + 13], table[base + 8], table[base + 169], table[base + 170], table[base + 171], table[base + 165], table[base + 166], table[base + 172], table[base + 173], table[base + 168], table[base + 174], table[base + 175]);
storageBarrier();
k17(table[base + 91], table[base + 171], table[base + 176], table[base + 177], table[base + 172], table[base + 173], table[base + 178], table[base + 178], table[base + 176], table[base + 177], table[base + 89]);
storageBarrier();
k18(table[base + 95], table[base + 171], table[base + 99], table[base + 103], table[base + 179], table[base + 180], table[base + 172], table[base + 173], table[base + 181], table[base + 182], table[base + 183], table[base + 184], table[base + 185], table[base + 186], table[base + 187], table[base + 181], table[base + 179], table[base + 180], table[base + 184], table[base + 182], table[base + 183], table[base + 187], table[base + 185], table[base + 186], table[base + 94]);
storageBarrier();
k17(table[base + 108], table[base + 171], table[base + 188], table[base + 189], table[base + 172], table[base + 173], table[base + 190], table[base + 190], table[base + 188], table[base + 189], table[base + 94]);
storageBarrier();
k19(table[base + 111], table[base + 171], table[base + 191], table[base + 192], table[base + 172], table[base + 173], table[base + 193], table[base + 193], table[base + 191], table[base + 192]);
storageBarrier();
k20(table[base + 125], table[base + 172], table[base + 126], table[base + 173], table[base + 194], table[base + 194], table[base + 23]);
storageBarrier();
k21(table[base + 129], table[base + 172], table[base + 130], table[base + 173], table[base + 195], table[base + 196], table[base + 131], table[base + 197], table[base + 132], table[base + 198], table[base + 199], table[base + 133], table[base + 200], table[base + 134], table[base + 201], table[base + 195], table[base + 198], table[base + 196], table[base + 197], table[base + 201], table[base + 199], table[base + 200], table[base + 39]);
storageBarrier();
k20(table[base + 137], table[base + 172], table[base + 138], table[base + 173], table[base + 202], table[base + 202], table[base + 52]);
storageBarrier();
k20(table[base + 141], table[base + 172], table[base + 142], table[base + 173], table[base + 203], table[base + 203], table[base + 57]);
storageBarrier();
k20(table[base + 145], table[base + 172], table[base + 146], table[base + 173], table[base + 204], table[base + 204], table[base + 62]);
storageBarrier();
k21(table[base + 149], table[base + 172], table[base + 150], table[base + 173], table[base + 205], table[base + 206], table[base + 151], table[base + 207], table[base + 152], table[base + 208], table[base + 209], table[base + 153], table[base + 210], table[base + 154], table[base + 211], table[base + 205], table[base + 208], table[base + 206], table[base + 207], table[base + 211], table[base + 209], table[base + 210], table[base + 67]);
storageBarrier();
k20(table[base + 157], table[base + 172], table[base + 158], table[base + 173], table[base + 212], table[base + 212], table[base + 80]);
storageBarrier();
k20(table[base + 161], table[base + 172], table[base + 162], table[base + 173], table[base + 213], table[base + 213], 2);
storageBarrier();
k0(table[base + 214], table[base + 215]);
storageBarrier();
k22(table[base + 174], table[base + 214], table[base + 175], table[base + 169], table[base + 170], table[base + 216]);
storageBarrier();
}
if (stage <= 4) {
var i1 = 0;
var count_i1 = 0;
if (stage >= 3) {
i1 = memberWord(record + 5);
count_i1 = memberWord(record + 6);
} else {
count_i1 = uniformLoad(table[base + 216]);
}
for (; i1 < count_i1; i1++) {
if (stage <= 3) {
if (limit > 0 && spent >= limit) {
suspend(record, left, 3, i0, count_i0, i1, count_i1);
return;
}
stage = 0;
spent += table[base + 217];
}
if (stage <= 4) {
k23(table[base + 218], table[base + 219], table[base + 218], table[base + 220]);
storageBarrier();
k1(table[base + 221], table[base + 215]);
storageBarrier();
k24(table[base + 175], table[base + 221], table[base + 222], table[base + 220], table[base + 0]);
storageBarrier();
let count_i2 = uniformLoad(table[base + 0]);
for (var i2 = 0; i2 < count_i2; i2++) {
k2(table[base + 223], 1);
storageBarrier();
k25(table[base + 224], table[base + 225], table[base + 226], table[base + 226], table[base + 227], table[base + 228], table[base + 229], table[base + 226]);
storageBarrier();
k26(table[base + 223], table[base + 227], table[base + 228], table[base + 229], table[base + 230]);
storageBarrier();
k3(table[base + 231], table[base + 232], table[base + 230]);
storageBarrier();
k27(table[base + 233], table[base + 231], table[base + 232]);
storageBarrier();
}
}
}
}
}
}
}
if (limit > 0) { suspend(record, 0, 0, 0, 0, 0, 0); }
}
