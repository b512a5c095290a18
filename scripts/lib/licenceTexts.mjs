/**
 * Licence texts of packages that are published without one: from their repositories, or, where these have none either,
 * the text of the licence that the package's own `package.json` names.
 */

import { readFileSync } from "node:fs";

/** @param {string} holder */
const mit = (holder) => `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

// guid-typescript has no copyright line and no text, in its package or in its repository (its issue 7), so none is made up.
const isc = `The package states its licence, ISC, and its author, nicolas. Neither it nor its
repository has a copyright line or the licence's text, which is:

ISC License

Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY
AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM
LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR
OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
PERFORMANCE OF THIS SOFTWARE.`;

/**
 * Licences of packages that say only where to read them, by name: those words, and what is read there.
 *
 * h5wasm: NIST's own terms, then HDF5's, which are the 3-clause BSD licence with a paragraph on enhancements.
 */
export const readLicences = new Map([
  ["h5wasm", { stated: "SEE LICENSE IN LICENSE.txt", licence: "NIST-Software AND BSD-3-Clause-LBNL" }],
]);

const apache = readFileSync(new URL("licences/Apache-2.0.txt", import.meta.url), "utf8").trim();

/** By name, with the licence that each holds for: under another one the text is looked for again. */
export const licenceTexts = new Map([
  ["onnxruntime-web", { licence: "MIT", text: mit("2018 - present Microsoft Corporation") }],
  ["onnxruntime-common", { licence: "MIT", text: mit("2018 - present Microsoft Corporation") }],
  [
    "react-remove-scroll-bar",
    { licence: "MIT", text: mit("Anton Korzunov, the author that the package names") },
  ],
  ["@mujoco/mujoco", { licence: "Apache-2.0", text: `Copyright Google DeepMind\n\n${apache}` }],
  ["guid-typescript", { licence: "ISC", text: isc }],
]);
