import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, '.github', 'workflows');
const { engines, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly 'runs-on'?: string;
  readonly 'timeout-minutes'?: number;
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly uses?: string;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workflows = readdirSync(folder).map(
  (file) => [file, parse(readFileSync(join(folder, file), 'utf8')) as Workflow] as const,
);
const named = (name: string) => workflows.find(([file]) => file === name)?.[1] as Workflow;
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps);
const runsIn = (workflow: Workflow) => stepsOf(workflow).flatMap(({ run }) => run ?? []);

describe.each(workflows)('the workflow %s', (file, workflow) => {
  const text = readFileSync(join(folder, file), 'utf8');

  test('runs scripts that exist', () => {
    const commands = runsIn(workflow).join('\n');
    const npmScripts = [...commands.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(
      ([, name = '']) => name,
    );
    expect(npmScripts.filter((name) => !(name in scripts))).toEqual([]);
    const files = [...commands.matchAll(/\bscripts\/[\w/.-]+/g)].map(([name]) => name);
    expect(files.length + npmScripts.length).toBeGreaterThan(0);
    expect(files.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });

  test('may only read, unless a job says what else it needs', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  test("uses GitHub's own actions only, each by its digest, with its version beside it", () => {
    const used = [...text.matchAll(/^ *(?:- )?uses: (?!\.\/)(.*)$/gm)].map(([, name = '']) => name);
    expect(used.length).toBe(stepsOf(workflow).filter(({ uses }) => uses !== undefined).length);
    const pinned = /^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(used.filter((name) => !pinned.test(name))).toEqual([]);
  });

  test('leaves no credentials in the working tree', () => {
    const checkouts = stepsOf(workflow).filter(({ uses = '' }) => uses.startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(0);
    for (const { with: options } of checkouts) expect(options?.['persist-credentials']).toBe(false);
  });

  test('puts no text of others into a script', () => {
    // An expression is pasted into the script before the shell reads it: a branch could have the name of a command.
    expect(runsIn(workflow).filter((run) => run.includes('${{'))).toEqual([]);
  });

  test('has a time limit for each job', () => {
    for (const [name, job] of Object.entries(workflow.jobs))
      if (job.uses === undefined) expect(job['timeout-minutes'], name).toBeGreaterThan(0);
  });
});

test('tests run on each supported version of Node, on Linux, macOS and Windows', () => {
  const matrix = named('test.yml').jobs.test?.strategy?.matrix;
  expect(matrix?.os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest']);
  expect(matrix?.node).toEqual([20, 22, 24]);
  expect(engines.node).toMatch(new RegExp(`^>=${matrix?.node?.[0]}\\b`));
});

test('tests are also what a release runs first', () => {
  expect(named('test.yml').on).toHaveProperty('workflow_call');
  const { jobs } = named('release.yml');
  expect(jobs.test?.uses).toBe('./.github/workflows/test.yml');
  const reachesTests = (name: string): boolean =>
    name === 'test' || [jobs[name]?.needs ?? []].flat().some(reachesTests);
  expect(Object.keys(jobs).filter((name) => !reachesTests(name))).toEqual([]);
});

test('a release has each right in one job only', () => {
  const rights = Object.entries(named('release.yml').jobs).flatMap(([job, { permissions = {} }]) =>
    Object.entries(permissions)
      .filter(([, right]) => right === 'write')
      .map(([name]) => `${name}: ${job}`),
  );
  expect(rights).toEqual(['id-token: publish', 'packages: image', 'contents: release']);
});

test('an action has the same digest everywhere', () => {
  const used = new Set(
    workflows.flatMap(([, workflow]) => stepsOf(workflow).flatMap(({ uses }) => uses ?? [])),
  );
  const names = [...used].map((uses) => uses.replace(/@.*/, ''));
  expect(new Set(names).size).toBe(names.length);
});

test('a release names repository, homepage and reports of bugs after the repository that it is made in', () => {
  const set = runsIn(named('release.yml')).find((run) => run.includes('npm pkg set')) ?? '';
  expect(set).toContain('page="https://github.com/$GITHUB_REPOSITORY"');
  for (const field of ['repository.url=git+$page.git', 'homepage=$page#readme', 'bugs.url=$page/issues'])
    expect(set).toContain(`"${field}"`);
});

test('a release publishes the package that was checked, with provenance', () => {
  const { jobs } = named('release.yml');
  const text = (job: string) => (jobs[job]?.steps ?? []).map(({ run = '' }) => run).join('\n');
  const pack = text('pack');
  expect(pack.indexOf('npm pkg set repository')).toBeLessThan(pack.indexOf('npm pack'));
  expect(pack.indexOf('npm pack')).toBeLessThan(pack.indexOf('check-package.mjs storeport-*.tgz'));
  expect(text('publish').trim()).toMatch(/^npm publish \.\/storeport-\*\.tgz --provenance --access public/);
  // With an address, setup-node writes a placeholder for a token, and npm takes it for one.
  expect(jobs.publish?.steps?.filter((step) => step.with?.['registry-url'] !== undefined)).toEqual([]);
});
