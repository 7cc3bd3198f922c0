// Prints what CHANGELOG.md says of a version, for the page of its release. Exits with 1 if the tag is not the version of
// package.json, or if the changelog has no section `## VERSION` for it.
//
//   node scripts/release/notes.mjs TAG
import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const [tag = ''] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
if (tag !== `v${version}`)
  fail(`The tag ${tag} is not v${version}, the version in package.json. Change one of them.`);

const sections = readFileSync(new URL('CHANGELOG.md', root), 'utf8').split(/^## /m);
const section = sections.find((text) => text.split(/\s/, 1)[0] === version);
const notes = section?.slice(section.indexOf('\n')).trim();
if (!notes)
  fail(`CHANGELOG.md has nothing under "## ${version}". Give its section "## Unreleased" that name.`);
console.log(notes);

function fail(message) {
  console.error(message);
  process.exit(1);
}
