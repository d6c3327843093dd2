import { useSyncExternalStore } from 'react';

/**
 * State of the support panel, shared by both sides. Opened by the button in the corner or from a deployment's details.
 */
export interface SupportDesk {
  readonly open: boolean;
  /** Deployment that the user is viewing. */
  readonly about: number | null;
  /** Element that had the focus when the panel was opened. */
  readonly opener: Element | null;
}

let desk: SupportDesk = { open: false, about: null, opener: null };
const listeners = new Set<() => void>();

export function contactSupport(about: number | null): void {
  change({ open: true, about, opener: document.activeElement });
}

export function closeSupport(): void {
  if (desk.open) change({ ...desk, open: false });
}

export function useSupportDesk(): SupportDesk {
  return useSyncExternalStore(subscribe, () => desk);
}

function change(next: SupportDesk): void {
  desk = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
