import type { Inputs } from 'preact/hooks';
import type { CommandView, WorkCommand } from '../../ui/api/index.ts';
import { post } from '../client.ts';
import { AskedCommand } from '../parts/command.tsx';

interface CheckCommandProps {
  /** Id of the work. */
  readonly work: string;
  /** Only this record, counted from 0. */
  readonly record?: number;
  /** The command is asked for again whenever one of these changes. */
  readonly inputs: Inputs;
}

/** The command line that checks a work, for the screens before the plan. */
export function CheckCommand({ work, record, inputs }: CheckCommandProps) {
  const wanted: WorkCommand = { does: 'check', ...(record === undefined ? {} : { record }) };
  return <AskedCommand load={() => post<CommandView>(`/works/${work}/command`, wanted)} inputs={inputs} />;
}
