import { useEffect, useRef } from 'react';
import type { Deployment } from '../../data/deployments';
import { ROW_LINK_ID } from '../../parts/deployment/deployment-messages';
import { hasFocus } from '../../ui/focus-on-arrival';

/**
 * Moves the focus to the next row, or to the heading of the list, once a row with the focus has left the list. Returns
 * the function to call with the deployment that is about to leave.
 */
export function useFocusAfterRemoval({
  rows,
  openId,
}: {
  rows: readonly Deployment[] | undefined;
  /** Deployment in the panel, which has the focus until it closes. */
  openId: number | null;
}): (removed: Deployment) => void {
  const removal = useRef<{ id: number; next: number | undefined } | null>(null);
  // Runs after every render, because the dialog and the panel return the focus when they close, before the row leaves.
  useEffect(() => {
    if (removal.current === null || rows === undefined) return;
    const { id, next } = removal.current;
    if (openId === id || rows.some((row) => row.id === id)) return;
    removal.current = null;
    if (hasFocus()) return;
    const row = next === undefined ? null : document.getElementById(ROW_LINK_ID(next));
    const target = row ?? document.querySelector<HTMLElement>('#content h1');
    if (target === null) return;
    if (row === null) target.tabIndex = -1;
    target.focus();
  });
  return ({ id }) => {
    const at = rows?.findIndex((row) => row.id === id) ?? -1;
    removal.current = { id, next: (at < 0 ? undefined : (rows?.[at + 1] ?? rows?.[at - 1]))?.id };
  };
}
