import { Download } from 'lucide-react';
import { useFormState } from 'react-hook-form';
import { fetchDocument } from '../../data/billing';
import { refusalText } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { monthName } from '../../ui/dates';
import { Form } from '../../ui/form/form';
import { SelectInput } from '../../ui/form/inputs';
import { saveFile } from '../../ui/save-file';
import { useToast } from '../../ui/use-toast';
import './statement-form.css';

/** Form for the statement of a completed month, which is issued on first request. */
export function StatementForm() {
  const t = useText();
  const { data: months = [], isSuccess } = useRead('billing', 'GET /billing/statements', {});
  const issue = useAction('billing', 'issueStatement');
  const toast = useToast();
  const [newest] = months;
  const submit = async ({ month }: { month: string }): Promise<void> => {
    try {
      const statement = await issue.mutateAsync({ params: { month } });
      saveFile(await fetchDocument(statement), `${statement.number}.pdf`);
    } catch (error) {
      toast(refusalText(error, t('billing.documents.download_failed')), { type: 'error' });
    }
  };
  if (newest === undefined)
    return isSuccess ? <p className="pad muted small">{t('billing.documents.no_statement')}</p> : null;
  return (
    <Form className="pad statement-form" defaultValues={{ month: newest.month }} onSubmit={submit}>
      <SelectInput source="month" label={t('billing.documents.statement_of')}>
        {months.map(({ month }) => (
          <option key={month} value={month}>
            {monthName(month)}
          </option>
        ))}
      </SelectInput>
      <DownloadStatement />
    </Form>
  );
}

function DownloadStatement() {
  const t = useText();
  const { isSubmitting } = useFormState();
  return (
    <Button type="submit" size="small" busy={isSubmitting} icon={Download}>
      {isSubmitting ? t('billing.documents.downloading') : t('billing.documents.statement')}
    </Button>
  );
}
