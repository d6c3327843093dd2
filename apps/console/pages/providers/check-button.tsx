import type { ProviderAnswer } from '@moorage/contracts';
import { refusalOf } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';

/** Returns whether the provisioner is running a check at this provider. */
export const isChecking = ({ check, credentials }: Pick<ProviderAnswer, 'check' | 'credentials'>): boolean =>
  check?.is_running === true || credentials?.entered?.state === 'testing';

/** Starts a check of the access, the rights and the limits at a provider. */
export function CheckButton({ provider }: { provider: ProviderAnswer }) {
  const t = useText();
  const { mutate, isPending, error } = useAction('providers', 'check');
  const isBusy = isPending || isChecking(provider);
  return (
    <div>
      <Button busy={isBusy} onClick={() => mutate({ params: { provider: provider.provider } })}>
        {t(isBusy ? 'providers.checking' : 'providers.check')}
      </Button>
      {error === null ? null : (
        <p className="note port" role="alert">
          {refusalOf(error) ?? t('providers.check_failed')}
        </p>
      )}
    </div>
  );
}
