import { useEffect, useState } from 'preact/hooks';

const STORED = 'single-keys';

export interface Shortcuts {
  readonly isOn: boolean;
  readonly turn: (isOn: boolean) => void;
}

/**
 * Runs functions at single keys, unless a text is being edited. They can be turned off: speech input types single
 * letters. The browser remembers the choice.
 */
export function useShortcuts(keys: Readonly<Record<string, () => void>>): Shortcuts {
  const [isOn, setOn] = useState(() => localStorage.getItem(STORED) !== 'off');
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isOn || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if ((event.target as HTMLElement).matches('input, textarea, select')) return;
      const action = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  const turn = (wanted: boolean) => {
    setOn(wanted);
    localStorage.setItem(STORED, wanted ? 'on' : 'off');
  };
  return { isOn, turn };
}

export function ShortcutSwitch({
  shortcuts: { isOn, turn },
  names,
}: {
  readonly shortcuts: Shortcuts;
  /** `the keys n and p` */
  readonly names: string;
}) {
  return (
    <label class="small shortcuts">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => turn(currentTarget.checked)} />
      Use {names}
    </label>
  );
}
