import { useSyncExternalStore } from 'react';

/** The support's panel, as both sides know of it: the button in the corner opens it, and so do the details of a deployment. */
export interface Desk {
  readonly open: boolean;
  /** The deployment the person is looking at. */
  readonly about: number | null;
  /** What had the focus when it was opened. */
  readonly opener: Element | null;
}

let desk: Desk = { open: false, about: null, opener: null };
const listeners = new Set<() => void>();

export function askSupport(about: number | null): void {
  change({ open: true, about, opener: document.activeElement });
}

export function closeSupport(): void {
  if (desk.open) change({ ...desk, open: false });
}

export function useSupportDesk(): Desk {
  return useSyncExternalStore(subscribe, () => desk);
}

function change(next: Desk): void {
  desk = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
