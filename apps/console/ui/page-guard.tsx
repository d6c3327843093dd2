import { Component, type ReactNode } from 'react';
import { usePublicText } from '../texts/locale';

/**
 * A page whose files did not arrive (the network went away, or a newer version has replaced them) says so instead of
 * leaving nothing; loading it anew fetches the files that are there now. The same for a page that broke while it was drawn.
 * `at`: the address it stands for; another one is tried afresh.
 */
export class PageGuard extends Component<{ at?: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidUpdate({ at }: { at?: string }): void {
    if (this.state.failed && at !== this.props.at) this.setState({ failed: false });
  }

  override render(): ReactNode {
    return this.state.failed ? <Failed /> : this.props.children;
  }
}

function Failed() {
  const t = usePublicText();
  return (
    <main className="empty" id="content" tabIndex={-1}>
      <div role="alert">
        <h1>{t('broken.title')}</h1>
        <p className="soft">{t('broken.text')}</p>
      </div>
      <button type="button" className="btn primary" onClick={() => location.reload()}>
        {t('retry')}
      </button>
    </main>
  );
}
