import type { DataExportAnswer } from '@moorage/contracts';
import { Check, Download, LoaderCircle, OctagonX } from 'lucide-react';
import { useState } from 'react';
import { fetchExport, useRequestExport, useExports } from '../../data/own-account';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { currentLocale } from '../../texts/locale';
import { shortInstant } from '../../ui/dates';
import { errorText, refusalText } from '../../data/problem-message';
import { saveFile } from '../../ui/save-file';
import { SectionCard, Loaded } from '../../ui/card';
import { Instant } from '../../ui/instant';
import { RecordTable } from '../../ui/record-table';
import { Button } from '../../ui/button';

/** Export of all data stored about the user. */
export function DataCard() {
  const t = useText();
  const toast = useToast();
  const request = useRequestExport();
  return (
    <SectionCard
      id="data"
      title={t('account.data.title')}
      aside={
        <Button
          size="small"
          busy={request.isPending}
          onClick={() => request.mutate(undefined, { onError: (error) => toast(errorText(error), { type: 'error' }) })}
        >
          {request.isPending ? t('account.data.asking') : t('account.data.ask')}
        </Button>
      }
    >
      <p className="pad soft">{t('account.data.lead')}</p>
      <Loaded query={useExports()} failed={t('account.data.failed')}>
        {(rows) =>
          rows.length === 0 ? <p className="pad muted">{t('account.data.none')}</p> : <ExportTable rows={rows} />
        }
      </Loaded>
    </SectionCard>
  );
}

function ExportTable({ rows }: { rows: readonly DataExportAnswer[] }) {
  const t = useText();
  return (
    <RecordTable
      label={t('account.data.title')}
      rows={rows}
      columns={[
        { label: t('account.data.asked'), render: ({ created_at: at }) => <Instant iso={at} /> },
        { label: t('account.data.state'), render: (row) => <State state={row.state} /> },
        {
          label: t('account.data.size'),
          render: ({ size_bytes: bytes }) => (bytes === null ? t('layout.not_available') : sizeText(bytes)),
        },
        {
          label: t('account.data.kept_until'),
          render: ({ state, expires_at: at }) => (state === 'ready' ? <Instant iso={at} /> : t('layout.not_available')),
        },
      ]}
      action={{
        label: t('account.data.download'),
        render: (row) => (row.state === 'ready' ? <DownloadButton row={row} /> : null),
      }}
    />
  );
}

const STATES = {
  preparing: { mark: 'busy', icon: LoaderCircle, text: 'preparing' },
  ready: { mark: 'good', icon: Check, text: 'ready' },
  failed: { mark: 'fail', icon: OctagonX, text: 'broken' },
} as const;

function State({ state }: { state: DataExportAnswer['state'] }) {
  const t = useText();
  const { mark, icon: Icon, text } = STATES[state];
  return (
    <span className={`st ${mark}`}>
      <Icon size={16} className={state === 'preparing' ? 'spin' : undefined} aria-hidden="true" />
      <span>{t(`account.data.${text}`)}</span>
    </span>
  );
}

function DownloadButton({ row: { id, created_at: at } }: { row: DataExportAnswer }) {
  const t = useText();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const download = async (): Promise<void> => {
    setBusy(true);
    try {
      saveFile(await fetchExport(id), `moorage-export-${id}.zip`);
    } catch (error) {
      toast(refusalText(error, t('account.data.download_failed')), { type: 'error' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      size="small"
      aria-label={t('account.data.download_what', { date: shortInstant(at) })}
      busy={busy}
      onClick={() => void download()}
      icon={Download}
    >
      {busy ? t('account.data.downloading') : t('account.data.download')}
    </Button>
  );
}

const MEGABYTE = 1_000_000;

/** Formats a size, such as `84 kB` or `1.2 MB`. */
function sizeText(bytes: number): string {
  const large = bytes >= MEGABYTE;
  return new Intl.NumberFormat(currentLocale() === 'de' ? 'de-DE' : 'en-GB', {
    style: 'unit',
    unit: large ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: large ? 1 : 0,
  }).format(large ? bytes / MEGABYTE : Math.max(1, bytes / 1_000));
}
