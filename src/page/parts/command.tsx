import { useRef, useState } from 'preact/hooks';

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

/** The command line that does the same as this screen, one click away. */
export function ShowCommand({ command }: { readonly command: string }) {
  return (
    <details>
      <summary>Show as command</summary>
      <CommandText command={command} />
    </details>
  );
}
