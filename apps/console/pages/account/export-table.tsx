import type { DataExportAnswer } from '@moorage/contracts';
import { Check, LoaderCircle, OctagonX } from 'lucide-react';
import { fetchFile } from '../../data/api';
import { useText } from '../../texts/console-i18n';
import { localeTag } from '../../texts/locale';
import { DataTable } from '../../ui/data-table';
import { shortInstant } from '../../ui/dates';
import { DownloadButton } from '../../ui/download-button';
import { Instant } from '../../ui/instant';

const Column = DataTable.Col<DataExportAnswer>;

/** Data exports, each with a button to download it. */
export function ExportTable({ rows }: { rows: readonly DataExportAnswer[] }) {
  const t = useText();
  return (
    <DataTable<DataExportAnswer> label={t('account.data.title')} rows={rows}>
      <Column label={t('account.data.asked')} render={({ created_at: at }) => <Instant iso={at} />} />
      <Column label={t('account.data.state')} render={({ state }) => <ExportState state={state} />} />
      <Column
        label={t('account.data.size')}
        render={({ size_bytes: bytes }) => (bytes === null ? t('layout.not_available') : sizeText(bytes))}
      />
      <Column
        label={t('account.data.kept_until')}
        render={({ state, expires_at: at }) => (state === 'ready' ? <Instant iso={at} /> : t('layout.not_available'))}
      />
      <Column
        align="right"
        label={<span className="vh">{t('account.data.download')}</span>}
        render={({ id, state, created_at: at }) =>
          state === 'ready' ? (
            <DownloadButton
              size="small"
              label={t('account.data.download')}
              busyLabel={t('account.data.downloading')}
              accessibleName={t('account.data.download_what', { date: shortInstant(at) })}
              failed={t('account.data.download_failed')}
              name={`moorage-export-${id}.zip`}
              load={() => fetchFile(`/users/self/exports/${id}/file`)}
            />
          ) : null
        }
      />
    </DataTable>
  );
}

const STATES = {
  preparing: { mark: 'busy', icon: LoaderCircle, text: 'preparing' },
  ready: { mark: 'good', icon: Check, text: 'ready' },
  failed: { mark: 'fail', icon: OctagonX, text: 'broken' },
} as const;

function ExportState({ state }: Pick<DataExportAnswer, 'state'>) {
  const t = useText();
  const { mark, icon: Icon, text } = STATES[state];
  return (
    <span className={`st ${mark}`}>
      <Icon size={16} className={state === 'preparing' ? 'spin' : undefined} aria-hidden="true" />
      <span>{t(`account.data.${text}`)}</span>
    </span>
  );
}

const MEGABYTE = 1_000_000;

/** Formats a size, such as `84 kB` or `1.2 MB`. */
function sizeText(bytes: number): string {
  const large = bytes >= MEGABYTE;
  return new Intl.NumberFormat(localeTag(), {
    style: 'unit',
    unit: large ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: large ? 1 : 0,
  }).format(large ? bytes / MEGABYTE : Math.max(1, bytes / 1_000));
}
