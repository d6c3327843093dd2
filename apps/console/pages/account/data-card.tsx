import { CONSTANTS } from '@moorage/domain';
import { errorText } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { SectionCard, Loaded } from '../../ui/card';
import { ExportTable } from './export-table';

/** Export of all data stored about the user. */
export function DataCard() {
  const t = useText();
  const request = useAction('account', 'requestExport', { failed: errorText });
  const exports = useRead(
    'account',
    'GET /users/self/exports',
    {},
    {
      refetchInterval: ({ state }) =>
        state.data?.some((each) => each.state === 'preparing') === true ? CONSTANTS.statusPollMs : false,
    },
  );
  return (
    <SectionCard
      id="data"
      title={t('account.data.title')}
      aside={
        <Button size="small" busy={request.isPending} onClick={() => request.mutate()}>
          {request.isPending ? t('account.data.asking') : t('account.data.ask')}
        </Button>
      }
    >
      <p className="pad soft">{t('account.data.lead')}</p>
      <Loaded query={exports} failed={t('account.data.failed')}>
        {(rows) =>
          rows.length === 0 ? <p className="pad muted">{t('account.data.none')}</p> : <ExportTable rows={rows} />
        }
      </Loaded>
    </SectionCard>
  );
}
