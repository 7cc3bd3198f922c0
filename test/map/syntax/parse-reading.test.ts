import { describe, expect, test } from 'vitest';
import { parseMapping, writtenReading } from '../../../src/map/index.ts';
import type { ConfigError } from '../../../src/model/index.ts';

const mapping = (source: string) =>
  parseMapping('m.yaml', `resource: products\nsource: ${source}\nfields: { name: Name }\n`);

describe('source', () => {
  test('source of a mapping has options of reading by their names', () => {
    const text =
      '{ sheet: 2, skip-lines: 3, no-header: true, pad-rows: false, encoding: latin1, delimiter: ";", quote: "" }';
    const { source } = mapping(text);
    expect(source).toEqual({
      ...{ sheet: '2', skipLines: 3, noHeader: true, padRows: false },
      ...{ encoding: 'latin1', delimiter: ';', quote: '' },
    });
    expect(writtenReading(source ?? {})).toEqual({
      ...{ sheet: '2', 'skip-lines': 3, 'no-header': true, 'pad-rows': false },
      ...{ encoding: 'latin1', delimiter: ';', quote: '' },
    });
  });

  test('source is absent if a mapping does not have it', () => {
    expect(parseMapping('m.yaml', 'resource: products\nfields: { name: Name }\n').source).toBeUndefined();
    expect(writtenReading({ sheet: undefined })).toBeUndefined();
  });

  test.each([
    ['prices', 'line 2, column 1: source takes options of reading: sheet, skip-lines'],
    ['{ skip-line: 3 }', 'Did you mean "skip-lines"?'],
    ['{ skip-lines: -1 }', 'skip-lines takes a whole number from 0 to 10000, and not -1.'],
    ['{ no-header: 1 }', 'no-header takes true or false, and not 1.'],
    ['{ sheet: [a] }', 'sheet takes the name of a sheet, or its number from 1, and not ["a"].'],
    ['{ encoding: 8 }', 'encoding takes the name of an encoding, such as windows-1252, and not 8.'],
  ])('%s is a mistake', (source, message) => {
    let hints: readonly string[] = [];
    try {
      mapping(source);
    } catch (error) {
      hints = (error as ConfigError).hints;
    }
    expect(hints.join('\n')).toContain(message);
  });
});
