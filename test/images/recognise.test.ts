import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BYTES_TO_RECOGNISE, recognise } from '../../src/images/recognise.ts';
import { IMAGE_BYTES, OTHER_BYTES } from '../support/images/image-bytes.ts';

describe('a file is recognised by its first bytes', () => {
  test.each(Object.entries(IMAGE_BYTES))('%s is an image', (name, bytes) =>
    expect(recognise(bytes)).toEqual({ isImage: true, name }),
  );

  test.each(Object.entries(OTHER_BYTES))('%s is no image', (name, bytes) =>
    expect(recognise(bytes)).toEqual({ isImage: false, name }),
  );

  test('bytes of no known kind are neither', () => {
    expect(recognise(Buffer.from([1, 2, 3, 0, 4]))).toBeUndefined();
    // The letters alone are text.
    expect(recognise(Buffer.from('BMW parts'))).toEqual({ isImage: false, name: 'text' });
  });
});

test.each([
  ['a declaration', '<?xml version="1.0" encoding="UTF-8"?>\n'],
  ['comments', '<!-- made by a > b -->\n<!-- and saved -->'],
  ['a document type', '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">'],
  ['a document type with entities', '<?xml version="1.0"?><!DOCTYPE svg [ <!ENTITY a "b"> ]>'],
  ['a byte order mark', '\ufeff'],
  ['blank lines', '\n\n  '],
])('a drawing is recognised below %s', (_, above) => {
  const kind = recognise(Buffer.from(`${above}<svg width="1"><a/></svg>`));
  expect(kind).toEqual({ isImage: true, name: 'SVG' });
});

test('a drawing in UTF-16 is recognised', () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<svg></svg>', 'utf16le')]);
  expect(recognise(bytes)?.name).toBe('SVG');
});

test('a page that contains a drawing is a page', () => {
  expect(recognise(Buffer.from('<!-- x --><html><svg></svg></html>'))?.isImage).toBe(false);
});

test('an image stays one whatever follows its first bytes', () => {
  const { SVG: _, ...binary } = IMAGE_BYTES;
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.entries(binary)),
      fc.uint8Array({ maxLength: 300 }),
      ([name, bytes], rest) => {
        expect(recognise(Buffer.concat([bytes, rest]))).toEqual({ isImage: true, name });
      },
    ),
  );
});

test('any bytes are recognised without an error', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void recognise(Buffer.from(bytes))));
});

test('comments without an end are read once, not once for each of them', () => {
  const bytes = Buffer.from('<!-- -->'.repeat(BYTES_TO_RECOGNISE / 8)).subarray(0, -1);
  expect(recognise(bytes)).toEqual({ isImage: false, name: 'text' });
});
