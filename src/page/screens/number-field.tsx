import { useEffect, useState } from 'preact/hooks';

/** A whole number above 0, or nothing. A text that is no number stays, is marked, and does not count. */
export function NumberField({
  label,
  value,
  onValue,
  placeholder,
  canBeEmpty = true,
}: {
  readonly label: string;
  readonly value: number | undefined;
  readonly onValue: (value: number | undefined) => void;
  readonly placeholder?: string;
  readonly canBeEmpty?: boolean;
}) {
  const [text, setText] = useState(String(value ?? ''));
  const isNumber = /^[1-9]\d{0,11}$/.test(text);
  const isWrong = text === '' ? !canBeEmpty : !isNumber;
  useEffect(() => {
    if (value !== undefined && Number(text) !== value) setText(String(value));
  }, [value]);
  return (
    <label class="field">
      <span>{label}</span>
      <input
        inputMode="numeric"
        value={text}
        placeholder={placeholder}
        aria-invalid={isWrong}
        onInput={({ currentTarget }) => {
          const typed = currentTarget.value.trim();
          setText(typed);
          if (/^[1-9]\d{0,11}$/.test(typed)) onValue(Number(typed));
          else if (typed === '' && canBeEmpty) onValue(undefined);
        }}
      />
      {isWrong ? <span class="small wrong-text">A whole number above 0</span> : null}
    </label>
  );
}
