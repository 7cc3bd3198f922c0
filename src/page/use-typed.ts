import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Time without a key after which a text takes effect, milliseconds. */
const PAUSE_MS = 250;

export interface TypedField<Input extends HTMLElement> {
  readonly ref: RefObject<Input | null>;
  readonly value: string;
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void;
  readonly onBlur: () => void;
}

/**
 * A text that takes effect while one types. What was typed last is kept when the control goes away. A change from
 * elsewhere, such as undo, is shown unless the control has the focus: the caret would jump.
 */
export function useTyped<Input extends HTMLElement>(
  value: string,
  onText: (text: string) => void,
): TypedField<Input> {
  const [text, setText] = useState(value);
  const ref = useRef<Input>(null);
  const timer = useRef(0);
  const typed = useRef<string | undefined>(undefined);
  const latest = useRef(onText);
  latest.current = onText;
  const flush = () => {
    clearTimeout(timer.current);
    const wanted = typed.current;
    typed.current = undefined;
    if (wanted !== undefined) latest.current(wanted);
  };
  useEffect(() => flush, []);
  useEffect(() => {
    if (document.activeElement !== ref.current) setText(value);
  }, [value]);
  return {
    ref,
    value: text,
    onBlur: flush,
    onInput({ currentTarget }) {
      typed.current = currentTarget.value;
      setText(currentTarget.value);
      clearTimeout(timer.current);
      timer.current = window.setTimeout(flush, PAUSE_MS);
    },
  };
}
