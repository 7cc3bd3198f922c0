import type { SourceRecord } from '../../model/index.ts';
import type { ImportInputs } from './inputs.ts';

/** Counts rows with an empty group key, if the mapping does not say that such rows continue the row above. */
export interface Keyless {
  note(records: readonly SourceRecord[], file: number): void;
  warnings(): string[];
}

/** Counts them only below a row with a key: some platforms write the key only in the first row of each record. */
export function createKeyless({ inputs, mapping: { groupBy } }: ImportInputs): Keyless {
  const counts = inputs.map(() => ({ rows: 0, hasKeys: false }));
  return {
    note(records, file) {
      const { binding } = inputs[file] ?? {};
      const count = counts[file];
      if (!count || !binding?.groupKeyOf || binding.continues || binding.isUnordered) return;
      for (const { rows } of records) {
        const [row] = rows;
        if (!row || row.issues) continue;
        if (binding.groupKeyOf(row) !== '') count.hasKeys = true;
        else if (count.hasKeys) count.rows++;
      }
    },
    warnings: () =>
      counts.flatMap(({ rows }, file) => (rows === 0 ? [] : [told(rows, groupBy, inputs[file])])),
  };
}

function told(rows: number, groupBy = '', input?: ImportInputs['inputs'][number]): string {
  const [are, each, they] =
    rows === 1 ? ['row has', 'it is', 'it continues'] : ['rows have', 'each is', 'they continue'];
  return (
    `${rows} ${are} no "${groupBy}" in ${input?.source.table.file}, and ${each} a record of its own. ` +
    `If ${they} the row above, write "empty: continues" into the mapping's group.`
  );
}
