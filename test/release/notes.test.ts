import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.ts';

const script = fileURLToPath(new URL('../../scripts/release/notes.mjs', import.meta.url));

/** Runs the script in a project of version 1.2.0 with this changelog. */
function notesOf(tag: string, changelog: string) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'scripts', 'release'), { recursive: true });
  cpSync(script, join(folder, 'scripts', 'release', 'notes.mjs'));
  writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.0" }');
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, 'scripts', 'release', 'notes.mjs'), tag],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\nsoon\n\n## 1.2.0 (2026-11-25)\n\n### Added\n\n- a\n\n## 1.1.0\n\nold\n';

test('a release is described by its section of the changelog', () => {
  expect(notesOf('v1.2.0', CHANGELOG)).toMatchObject({ status: 0, stdout: '### Added\n\n- a\n' });
});

test.each([
  ['another version', 'v1.1.0', CHANGELOG, 'is not v1.2.0, the version in package.json'],
  ['a version without a section', 'v1.2.0', '## Unreleased\n\nsoon\n', 'has nothing under "## 1.2.0"'],
  [
    'a version with an empty section',
    'v1.2.0',
    '## 1.2.0\n\n## 1.1.0\n\nold\n',
    'has nothing under "## 1.2.0"',
  ],
])('a tag of %s is refused', (_, tag, changelog, message) => {
  const { status, stdout, stderr } = notesOf(tag, changelog);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain(message);
});
