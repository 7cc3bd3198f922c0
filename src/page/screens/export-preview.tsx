import type { ExportChoice, ExportCommand, ExportPreview } from '../../ui/api/index.ts';
import { post } from '../client.ts';
import { CommandText } from '../parts/command.tsx';
import { WhenLoaded } from '../parts/frame.tsx';
import { counted, plural } from '../text.ts';
import { useLoad } from '../use-load.ts';

/** The first items of an export, as they would be written. */
export function ExportPreviewTable({
  preview: { columns, rows, total },
  resource,
}: {
  readonly preview: ExportPreview;
  readonly resource: string;
}) {
  return (
    <section aria-label="First items">
      <h2>
        First {plural(rows.length, 'item')}
        {total === null ? '' : ` of ${counted(total)} ${resource}`}
      </h2>
      {rows.length === 0 ? (
        <p class="quiet">The store has none that match.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the box.
        <section class="table-box" tabIndex={0} aria-label="First items of the export">
          <table class="cells">
            <thead>
              <tr>
                {columns.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((cells, n) => (
                <tr key={cells[0] ?? n}>
                  {columns.map((name, column) => (
                    <td key={name} dir="auto" title={cells[column]}>
                      {cells[column] ?? ''}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

/** The same export as a command, and as a line for cron. */
export function ExportCommands({ choice, file }: { readonly choice: ExportChoice; readonly file: string }) {
  const loaded = useLoad<ExportCommand>(
    () => post('/exports/command', { ...choice, out: file }),
    [JSON.stringify(choice), file],
  );
  return (
    <WhenLoaded loaded={loaded} doing="Composing the command">
      {({ command, cron }) => (
        <>
          <CommandText command={command} />
          <p class="small quiet">As a line for cron, every night:</p>
          <CommandText command={cron} />
        </>
      )}
    </WhenLoaded>
  );
}
