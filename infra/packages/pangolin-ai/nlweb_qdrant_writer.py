# What nlweb_dataload writes through: NLWeb's packages read from Qdrant and bring no writer for it.
import os
import uuid

from nlweb_dataload.writer import VectorDBWriterInterface
from qdrant_client import AsyncQdrantClient, models

COLLECTION = 'nlweb_collection'


class QdrantWriter(VectorDBWriterInterface):
    def __init__(self, endpoint_name):
        self.client = AsyncQdrantClient(url=os.environ['QDRANT_URL'], api_key=os.environ.get('QDRANT_API_KEY'))

    async def upload_documents(self, documents, **kwargs):
        if documents and not await self.client.collection_exists(COLLECTION):
            size = len(documents[0]['embedding'])
            vectors = models.VectorParams(size=size, distance=models.Distance.COSINE)
            await self.client.create_collection(COLLECTION, vectors_config=vectors)
        await self.client.upsert(COLLECTION, points=[point_of(document) for document in documents])
        return {'success_count': len(documents), 'error_count': 0}

    async def delete_documents(self, filter_criteria, **kwargs):
        if not await self.client.collection_exists(COLLECTION):
            return {'deleted_count': 0}
        must = [models.FieldCondition(key=key, match=models.MatchValue(value=value)) for key, value in filter_criteria.items()]
        count = (await self.client.count(COLLECTION, count_filter=models.Filter(must=must))).count
        await self.client.delete(COLLECTION, points_selector=models.FilterSelector(filter=models.Filter(must=must)))
        return {'deleted_count': count}


def point_of(document):
    payload = {
        'url': document['url'],
        'name': document.get('name') or document['url'],
        'site': document['site'],
        'schema_json': document['content'],
    }
    return models.PointStruct(id=str(uuid.uuid5(uuid.NAMESPACE_URL, document['url'])), vector=document['embedding'], payload=payload)
