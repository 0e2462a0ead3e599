// Robot files that this browser has sent, kept in its own storage: the last few, for a reload or a link to them.
const [DATABASE, STORE] = ['armsweep', 'files']
const [MOST, MOST_BYTES] = [8, 20 * 1024 * 1024]
const PATIENCE_MS = 4000 // a storage that does not answer by then counts as none

const done = request => new Promise((take, fail) => {
  request.onsuccess = () => take(request.result)
  request.onerror = () => fail(request.error)
})

async function opened() {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'digest' })
  return done(request)
}

// The result of `act` on the store, once everything is written.
async function within(mode, act) {
  const database = await opened()
  try {
    const transaction = database.transaction(STORE, mode)
    const whole = new Promise((take, fail) => {
      transaction.oncomplete = take
      transaction.onabort = () => fail(transaction.error)
    })
    const answer = await act(transaction.objectStore(STORE))
    await whole
    return answer
  } finally {
    database.close()
  }
}

const keep = (file, instead) => within('readwrite', async store => {
  if (instead) await done(store.delete(instead))
  await done(store.put({ ...file, at: Date.now() }))
  const kept = (await done(store.getAll())).sort((a, b) => b.at - a.at)
  let total = 0
  for (const [rank, each] of kept.entries()) {
    total += each.data.byteLength
    if (rank >= MOST || total > MOST_BYTES) await done(store.delete(each.digest))
  }
})

const found = digest => within('readwrite', async store => {
  const file = await done(store.get(digest))
  if (file) await done(store.put({ ...file, at: Date.now() })) // the most recently used is removed last
  return file
})

const all = () => within('readonly', store => done(store.getAllKeys()))
const forget = () => within('readwrite', store => done(store.clear()))

const soon = (work, instead) => Promise.race([
  work.catch(() => instead),
  new Promise(take => setTimeout(() => take(instead), PATIENCE_MS)),
])

export function render({ model }) {
  const look = async () => {
    const digest = model.wanted
    if (!digest) return
    const file = await soon(found(digest), null)
    if (file) model.send_msg({ kind: 'file', digest, name: file.name, data: file.data })
    else model.send_msg({ kind: 'missing', digest })
  }
  const tell = async () => model.send_msg({ kind: 'kept', digests: await soon(all(), []) })
  model.on('wanted', look)
  model.on('msg:custom', async message => {
    if (message.keep) {
      const { digest, name, data, instead } = message.keep
      await soon(keep({ digest, name, data }, instead), null)
    }
    if (message.forget) await soon(forget(), null)
    await tell()
  })
  look()
  tell()
  return document.createElement('span')
}
