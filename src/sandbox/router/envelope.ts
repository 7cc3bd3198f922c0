import type { Faults } from '../misbehave/faults.ts';

/** The answer of a create or update around a record's JSON text: as the API document shows it, or as seen elsewhere. */
export function inEnvelope(record: string, singular: string, form: Faults['envelope'] = 'data'): string {
  switch (form) {
    case 'data':
      return `{"status":"success","data":${record}}`;
    case 'result':
      return `{"result":${record}}`;
    case 'named':
      return `{"${singular}":${record}}`;
    case 'bare':
      return record;
  }
}
