import { DAY_MS } from '@moorage/domain';
import { OctagonX } from 'lucide-react';
import { useUpdates } from '../../../data/updates';
import { useText } from '../../../texts/console-i18n';
import { ButtonLink } from '../../../ui/button-link';
import { MessageText } from '../../../ui/message-text';
import { useNow } from '../../../data/use-now';
import { pageOf } from '../tabs';
import type { Details } from '../use-details';

/** A failed update is mentioned for this time, unless another one begins. */
const SHOWN_MS = 14 * DAY_MS;

/** Reports that the latest update failed, with its outcome and reason, and links to the versions. */
export function UpdateNote({ details: { deployment, runs }, tab }: { details: Details; tab: string }) {
  const t = useText();
  const now = useNow();
  const last = useUpdates(deployment.id, runs).data?.last;
  if (!runs || last?.state !== 'failed' || last.finished_at === null) return null;
  if (now - Date.parse(last.finished_at) >= SHOWN_MS) return null;
  const { from, to, failure } = last;
  return (
    <div className="note port" role="status">
      <OctagonX size={16} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>{t('updates.last_failed', { from, to })}</b>
        </p>
        {failure === null ? null : (
          <p className="soft anywhere">
            <MessageText message={failure} />
          </p>
        )}
      </div>
      {tab === '' ? null : (
        <ButtonLink size="small" to={pageOf(deployment.id)}>
          {t('updates.see')}
        </ButtonLink>
      )}
    </div>
  );
}
