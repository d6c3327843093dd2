import { ExternalLink } from 'lucide-react';
import { useText } from '../../texts/console-i18n';

/** Pages where the owner of an account at another service finds or creates a key. */
const SOURCES: Readonly<Partial<Record<string, string>>> = {
  CROWDSEC_ENROLLMENT_KEY: 'https://app.crowdsec.net/security-engines?enroll-engine=true',
  OPENAI_API_KEY: 'https://platform.openai.com/api-keys',
  MAXMIND_LICENSE_KEY: 'https://www.maxmind.com/en/accounts/current/license-key',
  CLIENT_ID: 'https://console.cloud.google.com/apis/credentials',
};

/** Link to where a key of another service is found. */
export function KeySource({ env }: { env: string }) {
  const t = useText();
  const source = SOURCES[env];
  if (source === undefined) return null;
  return (
    <p className="hint">
      <a href={source} target="_blank" rel="noreferrer noopener">
        {t('wizard.config.get_key', { site: new URL(source).hostname })}
        <ExternalLink size={14} aria-hidden="true" />
      </a>
    </p>
  );
}
