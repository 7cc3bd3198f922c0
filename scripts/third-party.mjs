// Lists the packages whose code is in dist, with their licences: a copy of that code has to come with them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that allow copies in a package with another licence, if their text comes with them. SPDX identifiers. */
export const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
];

/** Text of a licence for packages that have no file with it, by its SPDX identifier. `HOLDER` is replaced. */
const TEXTS = {
  MIT: `Copyright (c) HOLDER

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`,
  ISC: `Copyright (c) HOLDER

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
`,
};

/**
 * Writes the file with the licences of all packages in these builds of esbuild. Throws if one has a licence that is not
 * permissive, or neither a file with its text nor a text here.
 */
export function writeLicences(file, root, metafiles) {
  writeFileSync(file, licencesText(bundledPackages(root, metafiles)));
}

/** The packages with code in the output of these builds, in the order of their names. */
export function bundledPackages(root, metafiles) {
  const folders = new Set();
  for (const { outputs } of metafiles)
    for (const { inputs } of Object.values(outputs))
      for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0];
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
      }
  return [...folders]
    .map((folder) => packageIn(join(root, folder)))
    .sort((a, b) => (a.title < b.title ? -1 : 1));
}

function packageIn(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const title = `${name} ${version}`;
  if (!PERMISSIVE.includes(license))
    throw new Error(
      `The code of ${title} is in dist, and its licence "${license}" is not in the list of scripts/third-party.mjs.`,
    );
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)\b/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8'));
  return { title, license, text: texts.length > 0 ? texts.join('\n\n') : textOf(title, license, author) };
}

function textOf(title, license, author) {
  const text = TEXTS[license];
  if (text === undefined)
    throw new Error(`${title} has no file with its licence ${license}, and no text of it is known.`);
  const holder = typeof author === 'string' ? author : author?.name;
  return text.replace('HOLDER', () => holder ?? `the authors of ${title}`);
}

const RULE = '='.repeat(78);

export function licencesText(packages) {
  const begin =
    'storeport is under the licence in the file LICENSE. Its files below dist contain code of these packages.\n';
  const parts = packages.map(
    ({ title, license, text }) => `${RULE}\n${title} (${license})\n${RULE}\n\n${text.trim()}\n`,
  );
  return [begin, ...parts].join('\n').replaceAll('\r\n', '\n');
}
