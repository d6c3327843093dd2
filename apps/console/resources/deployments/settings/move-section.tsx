import { actionsOf, type MoveKind } from '@moorage/domain';
import { useState } from 'react';
import type { Deployment } from '../../../data/deployments';
import { LockedButton } from '../../../parts/locked-button';
import { isSource, lockedKey } from '../../../parts/deployment/deployment-messages';
import { useText } from '../../../texts/console-i18n';
import { useActsAsOwner, useIsVerified } from '../actions';
import { Section } from '../section';
import { MoveDialog } from './move-dialog';

/** Moves or clones a deployment with its data. The new server may be anywhere. */
export function MoveSection({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const [kind, setKind] = useState<MoveKind | null>(null);
  const off = useOff(deployment);
  const isOwner = useActsAsOwner(deployment);
  const { status, move } = deployment;
  const isPossible = actionsOf(status).includes('move') || lockedKey(deployment) !== null || isSource(deployment);
  if (!isOwner || !isPossible || status === 'DESTROYING') return null;
  return (
    <Section title={t('moves.title')}>
      <p className="small soft">{t('moves.hint')}</p>
      <div className="row wrap">
        <LockedButton size="small" reason={off('move')} aria-haspopup="dialog" onClick={() => setKind('move')}>
          {t('moves.move')}
        </LockedButton>
        <LockedButton size="small" reason={off('clone')} aria-haspopup="dialog" onClick={() => setKind('clone')}>
          {t('moves.clone')}
        </LockedButton>
      </div>
      {kind === null || move !== null ? null : (
        <MoveDialog key={kind} kind={kind} deployment={deployment} onClose={() => setKind(null)} />
      )}
    </Section>
  );
}

/** Returns the reason why a move or clone cannot be ordered now, or null. */
function useOff(deployment: Deployment): (kind: MoveKind) => string | null {
  const t = useText();
  const isVerified = useIsVerified();
  const locked = lockedKey(deployment);
  const { move, deletion_locked } = deployment;
  return (kind) => {
    if (locked !== null) return t(locked);
    if (move !== null && move.state !== 'done') return t('moves.locked');
    if (!isVerified) return t('deployments.locked.unverified');
    return kind === 'move' && deletion_locked ? t('deployments.locked.deletion') : null;
  };
}
