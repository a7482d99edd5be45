//! Bodies of queues and blobs: every input is parsed or rejected, and parsed values round-trip.

#![no_main]

use libfuzzer_sys::fuzz_target;
use table_rest::wire::{
    blobs, queues, storage_error,
    xml::{Element, Limits, Writer, parse},
};
use table_store::{
    blob::{ListBlobs, ListContainers},
    queue::ListQueues,
};

fn write(element: &Element, xml: &mut Writer) {
    xml.element(&element.name, |xml| {
        xml.characters(&element.text);
        element.children.iter().for_each(|child| write(child, xml));
    });
}

fn without_attributes(mut element: Element) -> Element {
    element.attributes.clear();
    element.children = element.children.into_iter().map(without_attributes).collect();
    element
}

fuzz_target!(|data: &[u8]| {
    if let Ok(element) = parse(data, Limits::REQUEST) {
        let element = without_attributes(element);
        let mut xml = Writer::new();
        write(&element, &mut xml);
        let again = parse(&xml.finish(), Limits::REQUEST).expect("what is written is a document");
        assert_eq!(without_attributes(again), element);
    }
    if let Ok(text) = queues::read_message(data) {
        assert_eq!(queues::read_message(&queues::write_message(&text)).ok(), Some(text));
    }
    if let Ok(messages) = queues::read_got(data) {
        assert_eq!(queues::read_got(&queues::write_got(&messages)).ok(), Some(messages));
    }
    if let Ok(messages) = queues::read_peeked(data) {
        assert_eq!(queues::read_peeked(&queues::write_peeked(&messages)).ok(), Some(messages));
    }
    if let Ok(segment) = queues::read_queues(data) {
        let body = queues::write_queues("http://a/", &ListQueues::new(), &segment);
        assert_eq!(queues::read_queues(&body).map(|read| read.next_marker).ok(), Some(segment.next_marker));
    }
    if let Ok(blocks) = blobs::read_blocks(data) {
        assert_eq!(blobs::read_blocks(&blobs::write_blocks(&blocks)).ok(), Some(blocks));
    }
    if let Ok(list) = blobs::read_block_list(data) {
        let body = blobs::write_block_list(&list, blobs::BlockListType::All);
        assert_eq!(blobs::read_block_list(&body).ok(), Some(list));
    }
    if let Ok(segment) = blobs::read_blobs(data) {
        let body = blobs::write_blobs("http://a/", "c", &ListBlobs::new(), blobs::Included::ALL, &segment);
        let again = blobs::read_blobs(&body).expect("what is written is a listing");
        assert_eq!(again.items.len(), segment.items.len());
        assert!(again.items.iter().zip(&segment.items).all(|(again, item)| again.name() == item.name()));
    }
    if let Ok(tags) = blobs::read_tags(data) {
        assert_eq!(blobs::read_tags(&blobs::write_tags(Writer::new(), &tags)).ok(), Some(tags));
    }
    if let Ok(segment) = blobs::read_found(data) {
        let filter = "a = 'b'".parse().expect("this is a search");
        let again = blobs::read_found(&blobs::write_found("http://a/", &filter, &segment));
        assert_eq!(again.map(|read| read.blobs).ok(), Some(segment.blobs));
    }
    if let Ok(segment) = blobs::read_containers(data) {
        let body = blobs::write_containers("http://a/", &ListContainers::new(), false, &segment);
        assert!(blobs::read_containers(&body).is_ok());
    }
    let _ = storage_error::read(400, None, data);
});
