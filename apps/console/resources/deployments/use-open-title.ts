import { useState } from 'react';
import type { Deployment } from '../../data/deployments';
import { stageOf } from './use-details';

/**
 * Returns the window title of a deployment that is being set up, with the number of its step, and with a check once it
 * is ready. Null if it was not set up while this page was open.
 */
export function useOpenTitle(deployment: Deployment | undefined): string | null {
  const [builtId, setBuiltId] = useState<number | null>(null);
  if (deployment === undefined) return null;
  const { id, client_name: name, progress } = deployment;
  const { setsUp, isAlive, runs } = stageOf(deployment);
  if (isAlive && setsUp) {
    if (builtId !== id) setBuiltId(id);
    return progress === null ? name : `${progress.number}/${progress.of} · ${name}`;
  }
  return builtId === id && runs ? `✓ ${name}` : null;
}
