import {
  defaultRangeExtractor,
  observeElementOffset,
  observeElementRect,
  type Range,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';

export interface WindowOptions {
  readonly count: number;
  /** Pixels of each item. Another function measures again. */
  readonly sizeOf: (index: number) => number;
  readonly box: RefObject<HTMLElement | null>;
  readonly horizontal?: boolean;
  /** Pixels of the header or the first column, which cover the beginning. */
  readonly covered: number;
  readonly overscan: number;
  /** An item that is kept in the page although it is out of sight: the one with the keyboard. */
  readonly pinned: number;
}

export interface WindowItem {
  readonly index: number;
  /** Pixels from the beginning of the scrolled space. */
  readonly start: number;
  readonly size: number;
}

export interface ShownWindow {
  /** Equal arrays are the same array, so that what depends on it is drawn again only if it changes. */
  readonly items: readonly WindowItem[];
  /** The items in sight, without those around them. */
  readonly sight: { readonly from: number; readonly to: number };
  /** Pixels of the scrolled space. */
  readonly total: number;
  /** Scrolls an item into sight, if it is not there. */
  readonly scrollTo: (index: number) => void;
}

/** Browsers draw nothing beyond some 17 million pixels. A longer list is scrolled at a scale. */
const MOST_PX = 15_000_000;

/** The items of a long list that are in sight, with their places. */
export function useWindow(options: WindowOptions): ShownWindow {
  const { count, sizeOf, box, horizontal = false, covered, overscan, pinned } = options;
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  /** Pixels of the list for each pixel of the scrolled space. */
  const scale = useRef(1);
  const settings = {
    ...{ count, horizontal, observeElementRect, overscan, paddingStart: covered, estimateSize: sizeOf },
    scrollToFn: () => {},
    getScrollElement: () => box.current,
    observeElementOffset: (
      instance: Virtualizer<HTMLElement, HTMLElement>,
      report: (offset: number, isScrolling: boolean) => void,
    ) => observeElementOffset(instance, (offset, isScrolling) => report(offset * scale.current, isScrolling)),
    rangeExtractor: (range: Range) => withPinned(defaultRangeExtractor(range), pinned, count),
    onChange: () => redraw(undefined as never),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(settings));
  virtualizer.setOptions(settings);
  useMemo(() => virtualizer.measure(), [virtualizer, sizeOf]);
  useEffect(() => virtualizer._didMount(), [virtualizer]);
  useEffect(() => virtualizer._willUpdate());

  const all = virtualizer.getTotalSize();
  const total = Math.min(all, MOST_PX);
  const view = viewOf(box.current, horizontal);
  scale.current = all > total && view < total ? (all - view) / (total - view) : 1;
  const offset = virtualizer.scrollOffset ?? 0;
  const shift = offset / scale.current - offset;
  const items = virtualizer.getVirtualItems().map(({ index, start, size }) => ({
    index,
    start: Math.max(0, Math.min(total - size, start + shift)),
    size,
  }));
  const range = virtualizer.range ?? { startIndex: 0, endIndex: 0 };

  function scrollTo(index: number): void {
    const item = virtualizer.measurementsCache[index];
    if (!item || !box.current) return;
    const now = virtualizer.scrollOffset ?? 0;
    const room = viewOf(box.current, horizontal);
    const to =
      item.start < now + covered ? item.start - covered : item.end > now + room ? item.end - room : undefined;
    if (to === undefined) return;
    box.current.scrollTo({ [horizontal ? 'left' : 'top']: to / scale.current });
  }
  return {
    items: useEqual(items),
    sight: { from: range.startIndex, to: range.endIndex },
    total,
    scrollTo,
  };
}

function viewOf(box: HTMLElement | null, horizontal: boolean): number {
  return (horizontal ? box?.clientWidth : box?.clientHeight) ?? 0;
}

function withPinned(indexes: number[], pinned: number, count: number): number[] {
  if (pinned >= count || indexes.includes(pinned)) return indexes;
  return [...indexes, pinned].sort((a, b) => a - b);
}

function useEqual(items: readonly WindowItem[]): readonly WindowItem[] {
  const kept = useRef(items);
  const isEqual =
    kept.current.length === items.length &&
    kept.current.every(({ index, start, size }, n) => {
      const item = items[n];
      return item?.index === index && item.start === start && item.size === size;
    });
  if (!isEqual) kept.current = items;
  return kept.current;
}
