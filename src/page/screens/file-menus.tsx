import type { ChangeWork, FoundFile, ReadingChoice, WorkView } from '../../ui/api/index.ts';

const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
  'koi8-r',
];
const FORMATS = ['csv', 'tsv', 'json', 'ndjson', 'xlsx'] as const;
const DELIMITERS: readonly (readonly [string, string])[] = [
  [',', 'comma ,'],
  [';', 'semicolon ;'],
  ['\t', 'tab'],
  ['|', 'bar |'],
];
const QUOTES: readonly (readonly [string, string])[] = [
  ['"', 'double "'],
  ["'", "single '"],
  ['', 'none'],
];

export interface MenuProps {
  readonly work: WorkView;
  readonly onChange: (change: ChangeWork) => void;
  /** A change on its way. It is shown at once. */
  readonly pending: ChangeWork | undefined;
}

/** How the file is read. Each menu reads it again at once; `found: …` is what the file itself shows. */
export function ReadingMenus({ work, onChange, pending }: MenuProps) {
  const { found } = work;
  const choice = pending?.choice ?? work.choice;
  const set = (part: ReadingChoice) => {
    const wanted = Object.fromEntries(
      Object.entries({ ...choice, ...part }).filter(([, value]) => value !== undefined),
    );
    onChange({ choice: wanted as ReadingChoice });
  };
  const isText = found === undefined || found.format !== 'xlsx';
  const isCsv = found === undefined || found.format === 'csv';
  const isTable = isCsv || found?.format === 'xlsx';
  const detected = (text: string | undefined) => (text === undefined ? 'detect' : `found: ${text}`);
  return (
    <section class="taken" aria-label="How the file is read">
      <Menu
        label="Format"
        value={choice.format}
        automatic={detected(found && `${found.format}${found.packed ? ', gzip' : ''}`)}
        options={FORMATS.map((format) => [format, format])}
        onPick={(format) => set({ format: format as ReadingChoice['format'] & string })}
      />
      {isText ? (
        <Menu
          label="Encoding"
          value={choice.encoding}
          automatic={detected(found && encodingIn(found))}
          options={ENCODINGS.map((name) => [name, name])}
          onPick={(encoding) => set({ encoding: encoding as string })}
        />
      ) : null}
      {isCsv ? (
        <>
          <Menu
            label="Delimiter"
            value={choice.delimiter}
            automatic={detected(found?.delimiter && nameIn(DELIMITERS, found.delimiter))}
            options={DELIMITERS}
            onPick={(delimiter) => set({ delimiter: delimiter as string })}
          />
          <Menu
            label="Quotes"
            value={choice.quote}
            automatic={detected(found?.quote && nameIn(QUOTES, found.quote))}
            options={QUOTES}
            onPick={(quote) => set({ quote: quote as string })}
          />
        </>
      ) : null}
      {found && found.otherSheets.length > 0 ? (
        <Menu
          label="Sheet"
          value={choice.sheet}
          automatic={detected(found.sheet)}
          options={[...(found.sheet === undefined ? [] : [found.sheet]), ...found.otherSheets].map((name) => [
            name,
            name,
          ])}
          onPick={(sheet) => set({ sheet: sheet as string })}
        />
      ) : null}
      {isTable ? (
        <>
          <label class="field">
            <span>Lines above the header</span>
            <input
              type="number"
              min={0}
              max={10_000}
              value={choice.skipLines ?? found?.skippedLines ?? 0}
              onChange={(event) => set({ skipLines: Number(event.currentTarget.value) || 0 })}
            />
          </label>
          <div class="checks">
            <label class="check">
              <input
                type="checkbox"
                checked={choice.noHeader ?? false}
                onChange={(event) => set({ noHeader: event.currentTarget.checked })}
              />
              The first row is data, not a header
            </label>
            <label class="check">
              <input
                type="checkbox"
                checked={choice.padRows ?? false}
                onChange={(event) => set({ padRows: event.currentTarget.checked })}
              />
              Fill up short rows with empty cells
            </label>
          </div>
        </>
      ) : null}
    </section>
  );
}

function nameIn(names: readonly (readonly [string, string])[], value: string): string {
  return names.find(([each]) => each === value)?.[1] ?? value;
}

/** A menu whose first entry leaves the choice to the file. */
function Menu({
  label,
  value,
  automatic,
  options,
  onPick,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly automatic: string;
  readonly options: readonly (readonly [string, string])[];
  /** Called with undefined if the file decides. */
  readonly onPick: (value: string | undefined) => void;
}) {
  // An empty text is a choice, so it cannot stand for none.
  const AUTO = '\u0000';
  const isListed = value === undefined || options.some(([each]) => each === value);
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={value ?? AUTO}
        onChange={({ currentTarget }) =>
          onPick(currentTarget.value === AUTO ? undefined : currentTarget.value)
        }
      >
        <option value={AUTO}>{automatic}</option>
        {isListed ? null : <option value={value}>{value}</option>}
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function encodingIn({ encoding, isGuessed, isUndecided }: FoundFile): string {
  if (isUndecided) return `${encoding} so far`;
  return isGuessed ? `${encoding} (a guess)` : encoding;
}
