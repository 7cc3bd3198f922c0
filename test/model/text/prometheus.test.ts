import { expect, test } from 'vitest';
import { prometheusText } from '../../../src/model/index.ts';

test('metrics have a line for their help, their type and each of their samples', () => {
  const text = prometheusText([
    { name: 'tasks', help: 'Tasks.', samples: [[{ state: 'queued' }, 3]] },
    { name: 'seconds', type: 'histogram', help: 'Time.', samples: [[{ le: '+Inf' }, 2, '_bucket']] },
    { name: 'stores', help: 'Stores.', samples: [[{}, 1]] },
  ]);
  expect(text.split('\n')).toEqual([
    ...['# HELP tasks Tasks.', '# TYPE tasks gauge', 'tasks{state="queued"} 3'],
    ...['# HELP seconds Time.', '# TYPE seconds histogram', 'seconds_bucket{le="+Inf"} 2'],
    ...['# HELP stores Stores.', '# TYPE stores gauge', 'stores 1', ''],
  ]);
});

test('an empty label is left out, and what would end a label is escaped', () => {
  const samples = [[{ empty: '', path: 'C:\\"x"\n' }, 1]] as const;
  expect(prometheusText([{ name: 'files', help: 'Files.', samples }])).toContain(
    'files{path="C:\\\\\\"x\\"\\n"} 1\n',
  );
});
