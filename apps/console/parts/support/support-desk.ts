import { create } from 'zustand';

/**
 * State of the support panel, shared by both sides. Opened from the app bar, a menu or a deployment's details.
 */
export interface SupportDesk {
  readonly open: boolean;
  /** Deployment that the user is viewing. */
  readonly about: number | null;
  /** Element that receives the focus when the panel closes. */
  readonly opener: Element | null;
}

export const useSupportDesk = create<SupportDesk>(() => ({ open: false, about: null, opener: null }));

export function contactSupport(about: number | null, opener = document.activeElement): void {
  useSupportDesk.setState({ open: true, about, opener });
}

export function closeSupport(): void {
  useSupportDesk.setState({ open: false });
}
