import type { DamageResult } from './case.ts';
import { firstError, VERDICTS } from './oracle.ts';

/** Prints one case: the history of its home, the damage, and the result of each command. */
export function printCase(result: DamageResult): void {
  const { seed, verdict, doubled, kind, part, how, undetectable, history, accepted, found, steps, folder } =
    result;
  const creates = doubled > 0 ? ` (${doubled} creates)` : '';
  const repeat = `node scripts/faults.mjs damage --only ${seed}${part === '' ? ' --undamaged' : ''}`;
  console.log(`${verdict}${creates}: ${[kind, part].filter(Boolean).join(' · ')}: ${repeat}`);
  console.log(
    `  ${history.exported ? 'an export and ' : ''}${history.before} before; ${history.records} records, ${history.end}; ${accepted} accepted; ${how}`,
  );
  if (undetectable) console.log(`  cannot be detected: ${undetectable}`);
  for (const problem of found.slice(0, 5)) console.log(`  ! ${problem}`);
  for (const { name, ended, created } of steps) {
    const made = created.length > 0 ? `, ${created.length} created` : '';
    console.log(
      `  ${name} → ${ended.code}${made}${Number(ended.code) > 1 ? `: ${firstError(ended.said)}` : ''}`,
    );
  }
  if (folder) console.log(`  kept in ${folder}, as it was after the damage in "damaged"`);
}

/** Prints a table of verdicts by kind of damage and damaged files. */
export function printTable(results: readonly DamageResult[]): void {
  const rows = new Map<string, DamageResult[]>();
  for (const result of results) {
    const row = `${result.kind} | ${result.part}${result.undetectable ? ' (cannot be detected)' : ''}`;
    rows.set(row, [...(rows.get(row) ?? []), result]);
  }
  console.log(`| damage | to | cases | ${VERDICTS.join(' | ')} | creates again |`);
  console.log(`|---|---|---|${VERDICTS.map(() => '---|').join('')}---|`);
  for (const [row, of] of [...rows].sort(([a], [b]) => a.localeCompare(b))) printRow(row, of);
  printRow('**all** |', results);
  printRow(
    '**all that must be recognised** |',
    results.filter(({ undetectable, part }) => !undetectable && part !== ''),
  );
}

function printRow(row: string, of: readonly DamageResult[]): void {
  const counts = VERDICTS.map((verdict) => of.filter((each) => each.verdict === verdict).length || '');
  const doubled = of.reduce((sum, each) => sum + each.doubled, 0);
  console.log(`| ${row} | ${of.length} | ${counts.join(' | ')} | ${doubled || ''} |`);
}
