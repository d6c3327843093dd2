import { CONSTANTS } from '@moorage/domain';
import { useText } from '../../texts/console-i18n';
import { CopyTextButton } from '../../ui/copy-button';

/** Command that calls the API with a token. */
export function CurlExample({ token }: { token: string }) {
  const t = useText();
  const command = `curl -H "Authorization: Bearer ${token}" ${location.origin}${CONSTANTS.apiBasePath}/deployments/`;
  return (
    <div className="code wrapit">
      <header>
        <span className="grow">{t('account.tokens.example')}</span>
        <CopyTextButton value={command} />
      </header>
      <pre tabIndex={0}>{command}</pre>
    </div>
  );
}
