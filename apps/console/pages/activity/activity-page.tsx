import type { ACTIVITY_KINDS } from '@moorage/contracts';
import { useSearchParams } from 'react-router-dom';
import { wholeActivity } from '../../data/activity';
import { isForbidden } from '../../data/errors';
import { useRead } from '../../data/use-read';
import { ActivityTable } from '../../parts/activity/activity-table';
import { useText } from '../../texts/console-i18n';
import { Loaded } from '../../ui/card';
import { csvBlob } from '../../ui/csv';
import { DownloadButton } from '../../ui/download-button';
import { SelectField } from '../../ui/form/select-field';
import { PageLinks } from '../../ui/list/page-links';
import { useTitle } from '../../ui/use-title';
import { activityCsv } from './activity-csv';

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
  const entries = useRead('activity', 'GET /users/self/activity', { query: { kind, page } });
  const isRefused = isForbidden(entries.error);
  const addressOf = (to: number): string =>
    `/activity?${new URLSearchParams({ ...(kind === null ? {} : { kind }), page: String(to) }).toString()}`;
  return (
    <main className="main" id="content" tabIndex={-1}>
      <div className="title">
        <div className="grow">
          <h1>{t('activity.title')}</h1>
          <p>{t('activity.intro')}</p>
        </div>
        {isRefused ? null : (
          <DownloadButton
            label={t('activity.export')}
            busyLabel={t('activity.exporting')}
            failed={t('activity.failed')}
            name="activity.csv"
            load={async () => csvBlob(activityCsv(await wholeActivity(kind)))}
          />
        )}
      </div>
      {isRefused ? null : (
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
      )}
      <Loaded query={entries} failed={t('activity.failed')}>
        {({ activity: rows, current_page: current, total_pages: pages }) => (
          <>
            {rows.length === 0 ? <p className="pad muted">{t('activity.none')}</p> : <ActivityTable rows={rows} />}
            {pages > 1 ? (
              <div className="pager">
                <span className="grow" />
                <PageLinks page={current} total={pages} addressOf={addressOf} />
              </div>
            ) : null}
          </>
        )}
      </Loaded>
    </main>
  );
}
