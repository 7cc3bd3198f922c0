import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fencesIn, pageText } from '../support/docs/pages.ts';
import { temporaryFolder } from '../support/run.ts';

const folder = fileURLToPath(new URL('../../docs/examples/', import.meta.url));
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
const units = readdirSync(folder).filter((name) => /\.(?:service|timer)$/.test(name));

/** Of the units below. systemd is on most Linux machines, and nowhere else. */
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('units for systemd', () => {
  test('are in the guide as they are in their files', () => {
    const shown = fencesIn(pageText('docs/operations.md')).filter(({ notes }) => notes.file !== undefined);
    expect(shown.map(({ notes }) => notes.file).sort()).toEqual(units.sort());
    for (const { notes, text } of shown) expect(text).toBe(textOf(notes.file ?? ''));
  });

  test('show exit codes 1 and 2 at once, try again after 3, and take a stop for no failure', () => {
    const unit = textOf('storeport-export@.service');
    expect(unit).toMatch(/^SuccessExitStatus=130$/m);
    expect(unit).toMatch(/^RestartPreventExitStatus=1 2$/m);
    expect(unit).toMatch(/^Restart=on-failure$/m);
  });

  describe.runIf(hasSystemd)('by the word of systemd-analyze', () => {
    /** The units, with a program that exists here in place of the installed one. */
    function installed(): string[] {
      const copies = join(temporaryFolder(), 'system');
      mkdirSync(copies);
      return units.map((name) => {
        const path = join(copies, name.replace('@.', '@shop.'));
        writeFileSync(path, textOf(name).replace('/usr/local/bin/storeport', process.execPath));
        return path;
      });
    }
    function analyze(...words: string[]) {
      const { status, stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
      return { status, text: stdout + stderr };
    }

    test('have no mistakes', () => {
      const { status, text } = analyze('verify', ...installed());
      // It may complain about other units of this machine, too.
      expect(text.split('\n').filter((line) => line.includes('storeport'))).toEqual([]);
      expect(status).toBe(0);
    });

    test('a mistake is found', () => {
      const [path = ''] = installed().filter((name) => name.endsWith('.timer'));
      writeFileSync(path, textOf('storeport-export@.timer').replace('03:15:00', '33:15:00'));
      expect(analyze('verify', path).text).toContain('storeport-export@shop.timer');
    });

    test('give the export few rights: an exposure of at most 1.5 of 10', () => {
      const path = installed().find((name) => name.endsWith('export@shop.service')) ?? '';
      const { status, text } = analyze('security', '--offline=true', '--threshold=15', '--no-pager', path);
      expect(status, text).toBe(0);
    });

    test('start the export every night', () => {
      const [, when = ''] = /^OnCalendar=(.+)$/m.exec(textOf('storeport-export@.timer')) ?? [];
      const { status, text } = analyze('calendar', '--iterations=2', when);
      expect(status).toBe(0);
      expect(text.match(/03:15:00/g)?.length).toBeGreaterThanOrEqual(2);
    });
  });
});

describe('the example for Docker Compose', () => {
  const { services, volumes } = parse(textOf('compose.yaml'), { merge: true });

  test('waits until the sandbox answers, and reaches it in its own network', () => {
    for (const name of ['storeport', 'import']) {
      expect(services[name].depends_on).toEqual({ sandbox: { condition: 'service_healthy' } });
      expect(services[name].network_mode).toBe('service:sandbox');
    }
    expect(services.sandbox.healthcheck.test.slice(0, 3)).toEqual(['CMD', 'node', '--eval']);
  });

  test('keeps the data of each service in a volume, and gives no rights that are not needed', () => {
    for (const service of Object.values<Record<string, string[]>>(services)) {
      const mounts = (service.volumes ?? []).map((volume) => volume.split(':'));
      expect(mounts.map(([, path]) => path)).toEqual(['/data']);
      for (const [name = ''] of mounts) expect(volumes).toHaveProperty(name);
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    }
  });
});
