import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A modal dialog. The browser keeps the focus inside and closes it with Escape. */
export function Dialog({
  title,
  onClose,
  buttons,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  /** The main one last. */
  readonly buttons: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      // The browser gives the focus back only to a dialog that is closed, and this one is removed.
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog ref={dialog} class="dialog" aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
      <div class="row end">{buttons}</div>
    </dialog>
  );
}
