import type { ActivityAnswer } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { useDevice } from '../device';
import { useText } from '../../texts/console-i18n';
import { DataTable } from '../../ui/data-table';
import { Instant } from '../../ui/instant';
import { MessageText } from '../../ui/message-text';

const Column = DataTable.Col<ActivityAnswer>;

/** Activity with its actor, device and time. */
export function ActivityTable({ rows }: { rows: readonly ActivityAnswer[] }) {
  const t = useText();
  return (
    <DataTable<ActivityAnswer> label={t('activity.title')} rows={rows}>
      <Column label={t('activity.what')} render={(entry) => <What entry={entry} />} />
      <Column label={t('activity.by')} render={(entry) => <Actor entry={entry} />} />
      <Column label={t('activity.device')} render={(entry) => <Device entry={entry} />} />
      <Column label={t('activity.when')} render={({ at }) => <Instant iso={at} />} />
    </DataTable>
  );
}

function What({ entry: { what, deployment, reason } }: { entry: ActivityAnswer }) {
  const t = useText();
  return (
    <>
      <MessageText message={what} />
      {deployment === null ? null : (
        <>
          {' '}
          <Link className="anywhere" to={`/deployments/${deployment.id}`}>
            {deployment.name}
          </Link>
        </>
      )}
      {reason === null ? null : <p className="soft anywhere">{t('activity.reason', { reason })}</p>}
    </>
  );
}

function Actor({ entry: { by, token } }: { entry: ActivityAnswer }) {
  const t = useText();
  if (by === 'token' && token !== null)
    return <span className="anywhere">{t('activity.token', { label: token })}</span>;
  return t(`activity.actors.${by}`);
}

function Device({ entry }: { entry: ActivityAnswer }) {
  const t = useText();
  const deviceOf = useDevice();
  if (entry.ip_address === null) return t('layout.not_available');
  return (
    <>
      {deviceOf(entry)} <span className="muted">{entry.ip_address}</span>
    </>
  );
}
