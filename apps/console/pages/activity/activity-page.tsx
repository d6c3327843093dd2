import type { ActivityAnswer, ACTIVITY_KINDS } from '@moorage/contracts';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { Loaded } from '../../ui/card';
import { useDevice } from '../../parts/device';
import { Instant } from '../../ui/instant';
import { RecordTable } from '../../ui/record-table';
import { SelectField } from '../../ui/form/select-field';
import { useActivity, wholeActivity } from '../../data/activity';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { MessageText } from '../../ui/message-text';
import { PageLinks } from '../../ui/list/page-links';
import { refusalText } from '../../data/problem-message';
import { saveFile } from '../../ui/save-file';
import { useTitle } from '../../ui/use-title';
import { activityCsv } from './activity-csv';
import { Button } from '../../ui/button';

/** Values repeated here with the contract's type, because importing them would bundle its schemas. */
const KINDS: typeof ACTIVITY_KINDS = ['account', 'deployments', 'money', 'support'];

/** Activity on the user's own account and deployments, with time, actor and device. */
export default function ActivityPage() {
  const t = useText();
  useTitle(t('activity.title'));
  const [query, setQuery] = useSearchParams();
  const kind = KINDS.find((each) => each === query.get('kind')) ?? null;
  const requested = Number(query.get('page') ?? 1);
  const page = Number.isSafeInteger(requested) && requested > 0 ? requested : 1;
  const addressOf = (to: number): string =>
    `/activity?${new URLSearchParams({ ...(kind === null ? {} : { kind }), page: String(to) }).toString()}`;
  return (
    <main className="main" id="content" tabIndex={-1}>
      <div className="title">
        <div className="grow">
          <h1>{t('activity.title')}</h1>
          <p>{t('activity.intro')}</p>
        </div>
        <ExportButton kind={kind} />
      </div>
      <div className="tools">
        <SelectField
          label={t('activity.kind')}
          value={kind ?? ''}
          onChange={(value) => setQuery(value === '' ? {} : { kind: value })}
        >
          <option value="">{t('activity.all')}</option>
          {KINDS.map((each) => (
            <option key={each} value={each}>
              {t(`activity.kinds.${each}`)}
            </option>
          ))}
        </SelectField>
      </div>
      <Loaded query={useActivity({ kind, page })} failed={t('activity.failed')}>
        {({ activity, current_page, total_pages }) => (
          <>
            {activity.length === 0 ? (
              <p className="pad muted">{t('activity.none')}</p>
            ) : (
              <ActivityTable rows={activity} />
            )}
            {total_pages > 1 ? (
              <div className="pager">
                <span className="grow" />
                <PageLinks page={current_page} total={total_pages} addressOf={addressOf} />
              </div>
            ) : null}
          </>
        )}
      </Loaded>
    </main>
  );
}

function ActivityTable({ rows }: { rows: readonly ActivityAnswer[] }) {
  const t = useText();
  const deviceOf = useDevice();
  return (
    <RecordTable
      label={t('activity.title')}
      rows={rows}
      columns={[
        { label: t('activity.what'), render: (row) => <What row={row} /> },
        { label: t('activity.by'), render: (row) => <Actor row={row} /> },
        {
          label: t('activity.device'),
          render: ({ ip_address: address, ...device }) =>
            address === null ? (
              t('layout.not_available')
            ) : (
              <>
                {deviceOf(device)} <span className="muted">{address}</span>
              </>
            ),
        },
        { label: t('activity.when'), render: ({ at }) => <Instant iso={at} /> },
      ]}
    />
  );
}

function What({ row: { what, deployment, reason } }: { row: ActivityAnswer }) {
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

function Actor({ row: { by, token } }: { row: ActivityAnswer }) {
  const t = useText();
  if (by === 'token' && token !== null)
    return <span className="anywhere">{t('activity.token', { label: token })}</span>;
  return t(`activity.actors.${by}`);
}

function ExportButton({ kind }: { kind: (typeof KINDS)[number] | null }) {
  const t = useText();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const csv = activityCsv(await wholeActivity(kind));
      saveFile(new Blob([csv], { type: 'text/csv;charset=utf-8' }), 'activity.csv');
    } catch (error) {
      toast(refusalText(error, t('activity.failed')), { type: 'error' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button busy={busy} onClick={() => void save()} icon={Download}>
      {t(busy ? 'activity.exporting' : 'activity.export')}
    </Button>
  );
}
