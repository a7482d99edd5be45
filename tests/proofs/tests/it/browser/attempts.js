// What a page tries. Each attempt ends with the status of the response, with `opaque`, or with `refused`.
const table = '{TABLE}';
const messages = '{MESSAGES}';
const signature = '{SIGNATURE}';
const message = '<QueueMessage><MessageText>x</MessageText></QueueMessage>';
const entity = JSON.stringify({ PartitionKey: 'p', RowKey: 'written' });
const json = { 'Content-Type': 'application/json', Accept: 'application/json' };

const attempt = (target, options) =>
    fetch(target, options).then(
        (response) => (response.type === 'opaque' ? 'opaque' : String(response.status)),
        () => 'refused',
    );

// A form needs no permission to be sent, and its text is a message.
const form = () =>
    new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.name = 'frame';
        document.body.append(frame);
        const sent = document.createElement('form');
        sent.method = 'POST';
        sent.target = 'frame';
        sent.enctype = 'text/plain';
        sent.action = `${messages}?${signature}`;
        const field = document.createElement('input');
        field.name = '<QueueMessage><MessageText>form';
        field.value = '</MessageText></QueueMessage>';
        sent.append(field);
        document.body.append(sent);
        frame.onload = () => resolve('opaque');
        sent.submit();
    });

(async () => {
    const row = `${table}(PartitionKey='p',RowKey='secret')?${signature}`;
    const results = {
        read: await attempt(`${table}()?${signature}`, { headers: { Accept: 'application/json' } }),
        write: await attempt(`${table}?${signature}`, { method: 'POST', headers: json, body: entity }),
        'simple write': await attempt(`${messages}?${signature}`, { method: 'POST', mode: 'no-cors', body: message }),
        'simple read': await attempt(`${table}()?${signature}`, { mode: 'no-cors' }),
        form: await form(),
        delete: await attempt(row, { method: 'DELETE', headers: { 'If-Match': '*' } }),
    };
    await fetch('{RESULTS}', { method: 'POST', mode: 'no-cors', body: JSON.stringify(results) });
})();
