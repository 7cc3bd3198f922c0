import type { ComponentChildren } from 'preact';
import { type Inputs, useRef, useState } from 'preact/hooks';
import type { CommandView } from '../../ui/api/index.ts';
import { useLoad } from '../use-load.ts';
import { WhenLoaded } from './frame.tsx';

/** A command line to copy. */
export function CommandText({ command }: { readonly command: string }) {
  const code = useRef<HTMLElement>(null);
  const [label, setLabel] = useState('Copy');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      setLabel('Copied');
    } catch {
      // Without the permission to write to the clipboard, the text is selected for Ctrl-C.
      if (code.current) getSelection()?.selectAllChildren(code.current);
      setLabel('Selected');
    }
    setTimeout(() => setLabel('Copy'), 2000);
  };
  return (
    <div class="command">
      <code ref={code}>{command}</code>
      <button type="button" onClick={copy}>
        {label}
      </button>
    </div>
  );
}

interface AskedCommandProps {
  /** Asks the server for the command, which may write a file that it needs. */
  readonly load: () => Promise<CommandView>;
  /** It is asked for again whenever one of these changes. */
  readonly inputs: Inputs;
}

/** The same for a command that the server composes, which is not done before somebody wants to see it. */
export function AskedCommand({ load, inputs }: AskedCommandProps) {
  return (
    <OpenedDetails summary="Show as command">
      <LoadedCommand load={load} inputs={inputs} />
    </OpenedDetails>
  );
}

function LoadedCommand({ load, inputs }: AskedCommandProps) {
  const loaded = useLoad(load, inputs);
  return (
    <WhenLoaded loaded={loaded} doing="Composing the command">
      {({ command }) => <CommandText command={command} />}
    </WhenLoaded>
  );
}

/** Details whose content is made when they are opened. */
export function OpenedDetails({
  summary,
  children,
}: {
  readonly summary: string;
  readonly children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen ? children : null}
    </details>
  );
}

/** The command line that does the same as this screen, one click away. */
export function ShowCommand({ command }: { readonly command: string }) {
  return (
    <details>
      <summary>Show as command</summary>
      <CommandText command={command} />
    </details>
  );
}
