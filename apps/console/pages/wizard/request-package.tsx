import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useAction } from '../../data/use-action';
import { refusalOf } from '../../data/problem-message';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Form, SubmitError } from '../../ui/form/form';
import { TextInput } from '../../ui/form/inputs';
import './request-package.css';

const NAME_MAX = 100;
const REASON_MAX = 2_000;
const REASON_ROWS = 3;

const EMPTY = { package_name: '', reason: '' };
type PackageRequest = typeof EMPTY;

/** Dialog to request a package. Both fields are required. Input survives closing the dialog. */
export function RequestPackage({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText();
  const [typed, setTyped] = useState(EMPTY);
  const isComplete = isFilled(typed.package_name) && isFilled(typed.reason);
  const request = useAction('support', 'requestPackage', { done: t('wizard.request.done') });
  const submit = async ({ package_name, reason }: PackageRequest): Promise<void> => {
    await request.mutateAsync({ body: { package_name: package_name.trim(), reason: reason.trim() } });
    setTyped(EMPTY);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      width="narrow"
      className="request"
      title={t('wizard.request.open')}
      form={(body) => (
        <Form
          defaultValues={typed}
          onSubmit={submit}
          refusal={(error) => refusalOf(error) ?? t('wizard.request.failed')}
        >
          <Remember onType={setTyped} />
          {body}
        </Form>
      )}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            {t('wizard.nav.cancel')}
          </Button>
          {/* Can be pressed before both fields are filled in, to learn which one is missing. */}
          <Button type="submit" kind="primary" aria-disabled={!isComplete || request.isPending}>
            {request.isPending ? t('wizard.request.submitting') : t('wizard.request.submit')}
          </Button>
        </>
      }
    >
      <p className="soft">{t('wizard.request.intro')}</p>
      <SubmitError />
      <TextInput<PackageRequest>
        source="package_name"
        label={t('wizard.request.name')}
        maxLength={NAME_MAX}
        autoFocus
        validate={(name) => (isFilled(name) ? null : t('wizard.request.both'))}
      />
      <TextInput<PackageRequest>
        source="reason"
        label={t('wizard.request.reason')}
        rows={REASON_ROWS}
        maxLength={REASON_MAX}
        validate={(reason, { package_name: name }) =>
          isFilled(reason) || !isFilled(name) ? null : t('wizard.request.both')
        }
      />
    </Dialog>
  );
}

const isFilled = (text: string): boolean => text.trim() !== '';

/** Reports what is typed, which outlives the form. */
function Remember({ onType }: { onType: (typed: PackageRequest) => void }) {
  const values = useWatch<PackageRequest>();
  useEffect(() => onType({ ...EMPTY, ...values }), [onType, values]);
  return null;
}
