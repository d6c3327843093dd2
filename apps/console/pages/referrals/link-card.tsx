import type { RouteAnswer } from '@moorage/contracts';
import { PRICE_LIST } from '@moorage/domain';
import { Check, Copy, Share2 } from 'lucide-react';
import { useBrand } from '../../data/brand';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { SectionCard } from '../../ui/card';
import { CopyButton } from '../../ui/copy-button';
import { money } from '../../ui/money';
import { useCopied } from '../../ui/use-copied';
import './link-card.css';

const UNLOCK = money(PRICE_LIST.creditUnlockBalance.toWire(), { rounding: 'needed' });

/** The user's referral link, with buttons to copy and to share it. */
export function LinkCard({
  link: { referral_url: url, referral_code: code },
}: {
  link: RouteAnswer<'GET /referrals/my-link'>;
}) {
  const t = useText();
  const { copied, copy } = useCopied();
  const share = useShare(url, () => copy(url));
  return (
    <SectionCard id="link" title={t('referrals.link')}>
      <div className="pad">
        <p className="soft">{t('referrals.lead')}</p>
        <div className="referral-share">
          <span className="in lg">
            <input
              className="mono"
              readOnly
              value={url}
              aria-label={t('referrals.link')}
              onFocus={({ target }) => target.select()}
            />
          </span>
          <Button kind="primary" icon={copied ? Check : Copy} onClick={() => copy(url)}>
            <span aria-live="polite">{copied ? t('referrals.copied') : t('referrals.copy')}</span>
          </Button>
          <Button icon={Share2} onClick={share}>
            {t('referrals.share')}
          </Button>
        </div>
        <p>
          {t('referrals.code')}: <b className="mono">{code}</b> <CopyButton value={code} what={t('referrals.code')} />
        </p>
        <p className="small muted">{t('referrals.unlock', { amount: UNLOCK })}</p>
      </div>
    </SectionCard>
  );
}

/** Returns a function that opens the share sheet, or else calls `copy`. */
function useShare(url: string, copy: () => void): () => void {
  const t = useText();
  const { name: brand } = useBrand();
  return () => {
    // Not available in every browser.
    const sheet = (navigator as { share?: Navigator['share'] }).share?.bind(navigator);
    if (sheet === undefined) {
      copy();
      return;
    }
    void sheet({ title: brand, text: t('referrals.share_text', { brand }), url }).catch((error: unknown) => {
      // Closing the share sheet cancels sharing.
      if (!(error instanceof DOMException && error.name === 'AbortError')) copy();
    });
  };
}
