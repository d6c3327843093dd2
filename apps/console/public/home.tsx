import { useBrand } from '../ui/brand';

export function Home() {
  const { name, tagline } = useBrand();
  return (
    <main id="content">
      <h1>{name}</h1>
      <p className="tagline">{tagline}</p>
    </main>
  );
}
