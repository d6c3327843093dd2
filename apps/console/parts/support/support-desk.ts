import { create } from 'zustand';

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

export const useSupportDesk = create<SupportDesk>(() => ({ open: false, about: null, opener: null }));

export function contactSupport(about: number | null): void {
  useSupportDesk.setState({ open: true, about, opener: document.activeElement });
}

export function closeSupport(): void {
  useSupportDesk.setState({ open: false });
}
