import type { Plan } from './plans';

/** Changes of a running deployment that need a run and can be undone by another. */
export const CHANGE_KINDS = ['configuration', 'resize', 'update', 'reboot'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Plans that apply a change and that return to the state before it. */
export const PLANS_OF_CHANGES = {
  configuration: { apply: 'configure', undo: 'undo-configure' },
  resize: { apply: 'resize', undo: 'undo-resize' },
  update: { apply: 'update', undo: 'undo-update' },
  // Its undo brings back a server that did not return.
  reboot: { apply: 'reboot', undo: 'undo-reboot' },
} as const satisfies Readonly<Record<ChangeKind, { readonly apply: Plan; readonly undo: Plan }>>;

/** Plans that undo a change. */
export const UNDOING: readonly Plan[] = Object.values(PLANS_OF_CHANGES).map(({ undo }) => undo);
