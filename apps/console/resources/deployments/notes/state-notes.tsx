import { GoneNote } from '../backups/gone-note';
import { UndoBar } from '../backups/undo-bar';
import type { Details } from '../use-details';
import { CancellingNote } from './cancelling-note';
import { EndingNote } from './ending-note';
import { GracePeriodNote } from './grace-period-note';
import { KeptNote } from './kept-note';
import { MoveNote } from './move-note';
import { UnseenNote } from './unseen-note';

/** Notes about payment, a restore, a cancellation and the server, shown above everything else. */
export function StateNotes({ details: { deployment, provider, backups, isAlive } }: { details: Details }) {
  return (
    <>
      <GracePeriodNote deployment={deployment} />
      <EndingNote deployment={deployment} />
      {backups.data !== undefined && isAlive ? <UndoBar deployment={deployment} backups={backups.data} /> : null}
      {backups.data === undefined ? null : <GoneNote deployment={deployment} backups={backups.data} />}
      <MoveNote deployment={deployment} />
      <CancellingNote deployment={deployment} />
      <KeptNote deployment={deployment} />
      <UnseenNote deployment={deployment} provider={provider} />
    </>
  );
}
